#include "engine/flow/region_names.h"

#include <algorithm>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"

namespace partita {

ExprId first_operator(const RegionInfo& region, const ExpressionNames& names) {
    ExprId first;
    for (const ExprId id : region.expressions) {
        const uint32_t number = names.number(id);
        if (number > 0 && (!first.valid() || number < names.number(first))) first = id;
    }
    return first;
}

std::string region_name(const RegionInfo& region, const ExpressionNames& names) {
    const ExprId first = first_operator(region, names);
    return first.valid() ? region.backend_name + " #" + std::to_string(names.number(first)) : region.function;
}

const OpRecord* computed_op(const Module& module, ExprId call) {
    const OpRecord* op = called_op_record(module, call);
    return op && !op->name.starts_with("annotation.compiler_") ? op : nullptr;
}

int operators_in(const Module& module, ExprId call) {
    if (module.kind(call) != ExprKind::Call) return 0;
    if (!is_composite(module, module.callee(call))) return computed_op(module, call) ? 1 : 0;
    const std::vector<ExprId> inner = post_order(module, module.body(module.callee(call)));
    return int(std::count_if(inner.begin(), inner.end(), [&](ExprId id) { return computed_op(module, id); }));
}

int operator_count(const RegionInfo& region, const Module& input) {
    return int(std::count_if(region.expressions.begin(), region.expressions.end(),
                             [&](ExprId id) { return computed_op(input, id); }));
}

std::string region_content(const RegionInfo& region, const ExpressionNames& names) {
    const ExprId first = first_operator(region, names);
    if (!first.valid()) return "";
    const int operators = operator_count(region, names.module());
    return names.callee(first) + (operators > 1 ? " +" + std::to_string(operators - 1) : "");
}

}  // namespace partita
