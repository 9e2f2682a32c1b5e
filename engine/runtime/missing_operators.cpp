#include "engine/runtime/missing_operators.h"

#include <map>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/program/flat_graph.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

constexpr size_t kMostNamed = 10;

/// Returns the expressions of `function` and of the functions it calls, without backends' regions.
std::vector<ExprId> expressions_outside_regions(const Module& module, ExprId function) {
    std::vector<ExprId> roots{function}, order;
    std::vector<bool> left_out(module.size()), entered(module.size());
    entered[function.value] = true;
    for (size_t i = 0; i < roots.size(); ++i) {
        for (ExprId id : post_order(module, roots[i])) {
            if (module.kind(id) == ExprKind::GlobalVar) {
                ExprId called = module.find_function(module.name_id(id));
                if (!called.valid() || entered[called.value] || is_region_function(module, called)) continue;
                entered[called.value] = true;
                roots.push_back(called);
            } else if (module.kind(id) == ExprKind::Function && id != roots[i] && is_region_function(module, id)) {
                for (ExprId inside : post_order(module, id)) left_out[inside.value] = true;
            } else {
                order.push_back(id);
            }
        }
    }
    std::erase_if(order, [&](ExprId id) { return left_out[id.value]; });
    return order;
}

}  // namespace

Status check_operators(const Module& module, ExprId function) {
    struct Missing {
        int calls = 0;
        std::string node;  ///< the first
    };
    std::map<std::string, Missing> missing;
    for (ExprId id : expressions_outside_regions(module, function)) {
        if (module.kind(id) == ExprKind::If) return Nothing();
        const OpRecord* op = called_op_record(module, id);
        if (!op || (!op->foreign && op->name != "opaque")) continue;
        AttributesView attributes = attributes_of(module, id);
        std::string name = on_one_line(attributes.string("op_type"));
        if (!attributes.string("domain").empty()) name += " of " + in_quotes(attributes.string("domain"));
        Missing& entry = missing[name];
        if (entry.calls++ == 0) entry.node = module.label(id);
    }
    if (missing.empty()) return Nothing();
    std::string text;
    size_t named = 0;
    for (const auto& [name, entry] : missing) {
        if (named == kMostNamed) break;
        text += (named++ ? "; " : "") + name;
        if (!entry.node.empty())
            text += (entry.calls > 1 ? " (first at node " : " (node ") + in_quotes(entry.node) + ")";
        if (entry.calls > 1) text += ", " + std::to_string(entry.calls) + " times";
    }
    if (missing.size() > named) text += "; and " + std::to_string(missing.size() - named) + " more";
    return error(
        "the module can't be run, for operators are missing that neither Partita nor a backend of this division has: " +
        text);
}

}  // namespace partita
