#include "engine/explain/provenance.h"

#include <algorithm>

#include "engine/ir/file_operators.h"
#include "engine/ir/kind_name.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

/// Operators and functions are there once for all their uses.
bool has_a_place(const Module& module, ExprId id) {
    const ExprKind kind = module.kind(id);
    return kind != ExprKind::Op && kind != ExprKind::GlobalVar && kind != ExprKind::Function;
}

/// Returns the function literal inside of which each expression stands, by ExprId; invalid for none.
std::vector<ExprId> composites_of(const Module& module) {
    std::vector<ExprId> inside(module.size());
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId id(i);
        if (module.kind(id) != ExprKind::Function || module.function_info(id).string_attribute("Composite").empty())
            continue;
        for (const ExprId inner : post_order(module, module.body(id))) inside[inner.value] = id;
    }
    return inside;
}

std::string name_in_stage(const Module& module, ExprId id) {
    if (const OpRecord* op = called_op_record(module, id)) return op->name;
    if (module.kind(id) == ExprKind::Call) {
        const ExprId callee = module.callee(id);
        if (module.kind(callee) == ExprKind::Function)
            if (const auto name = module.function_info(callee).string_attribute("Composite"); !name.empty())
                return std::string(name);
        if (module.kind(callee) == ExprKind::GlobalVar) return "@" + std::string(module.name(callee));
    }
    if (module.kind(id) == ExprKind::Var) return "%" + std::string(module.name(id));
    return std::string(kind_name(module.kind(id)));
}

/// "in layer1.conv (torch.nn.Conv2d)": the last entry of "KEY,PATH,TYPE;...".
std::string innermost_module(std::string_view stack) {
    const std::string_view last = stack.substr(stack.rfind(';') + 1);
    const size_t path = last.find(','), type = path == std::string_view::npos ? path : last.find(',', path + 1);
    if (type == std::string_view::npos || type == path + 1) return {};
    return " in " + std::string(last.substr(path + 1, type - path - 1)) + " (" + std::string(last.substr(type + 1)) +
           ")";
}

/// The innermost frame of a traceback, and the line that stands under it.
std::string innermost_frame(std::string_view trace) {
    const size_t begin = trace.rfind("File ");
    if (begin == std::string_view::npos) return {};
    std::string frame;
    for (char letter : trace.substr(begin)) {
        if (letter == '\n') letter = ' ';
        if (letter != ' ' || !frame.ends_with(' ')) frame += letter;
    }
    while (frame.ends_with(' ')) frame.pop_back();
    return ", " + frame;
}

std::string stated(const StatedOperators& operators, const Module& module, ExprId call) {
    const ExprId found = operators.find(module, call);
    const OpRecord* op = found.valid() ? called_op_record(operators.module, found) : nullptr;
    if (!op) return {};
    const AttributesView attributes = attributes_of(operators.module, found);
    const auto text = [&](std::string_view name) {
        const AttributeValue* value = attributes.find(name);
        return value && value->as_string() ? *value->as_string() : std::string();
    };
    return op->name + innermost_module(text("nn_module_stack")) + innermost_frame(text("stack_trace"));
}

}  // namespace

Provenance::Provenance(const FlowResult& flow, ModulePtr opened, std::shared_ptr<const FileOperators> operators)
    : operators_(std::move(operators)), opened_(opened == flow.input ? nullptr : std::move(opened)),
      input_(flow.input) {
    if (opened_) {
        for (uint32_t i = 0; i < input_->size(); ++i)
            if (const ExprId source = input_->source(ExprId(i)); source.valid() && source.value < opened_->size())
                by_source_.emplace_back(source, ExprId(i));
        std::sort(by_source_.begin(), by_source_.end());
        add("opened", opened_);
    }
    add("input", input_);
    for (const StageModule& each : flow.stages)
        if (each.module != input_) add(each.name, each.module);
    add("partitioned", flow.partitioned);
}

void Provenance::add(const std::string& name, const ModulePtr& module) {
    if (!module) return;
    Stage& added = stages_.emplace_back(Stage{name, module, {}});
    const std::vector<ExprId> composites = composites_of(*module);
    std::vector<bool> seen(module->size());
    // In the first two stages an expression is its own origin.
    const bool is_root = name == "opened" || name == "input";
    for (const GlobalFunction& global : module->functions())
        for (const ExprId id : post_order(*module, global.function)) {
            if (seen[id.value] || !has_a_place(*module, id)) continue;
            seen[id.value] = true;
            const ExprId origin = is_root ? id : module->origin(id);
            if (origin.valid()) added.entries.push_back({origin, id, global.name, composites[id.value]});
        }
    std::sort(added.entries.begin(), added.entries.end());
}

StagePlace Provenance::place(const Stage& stage, const Entry& entry) const {
    const Module& module = *stage.module;
    StagePlace place{
        entry.expr, name_in_stage(module, entry.expr), std::string(module.names().text(entry.function)), {}};
    if (entry.composite.valid()) place.composite = module.function_info(entry.composite).string_attribute("Composite");
    if (stage.name != "opened" && stage.name != "input") return place;
    place.position = module.position(entry.expr);
    place.label = module.label(entry.expr);
    if (operators_ && module.kind(entry.expr) == ExprKind::Call)
        place.stated = stated(operators_->get(), module, entry.expr);
    return place;
}

std::vector<StagePlaces> Provenance::of(ExprId expr) const {
    std::vector<StagePlaces> all;
    for (const Stage& stage : stages_) {
        StagePlaces& places = all.emplace_back(StagePlaces{stage.name, {}});
        const ExprId origin = stage.name == "opened" ? input_->source(expr) : expr;
        if (!origin.valid()) continue;
        const auto first =
            std::lower_bound(stage.entries.begin(), stage.entries.end(), Entry{origin, ExprId(0), {}, {}});
        for (auto entry = first; entry != stage.entries.end() && entry->origin == origin; ++entry)
            places.places.push_back(place(stage, *entry));
    }
    return all;
}

std::vector<ExprId> Provenance::siblings(ExprId expr) const {
    std::vector<ExprId> all;
    const ExprId source = opened_ ? input_->source(expr) : ExprId();
    if (!source.valid()) return all;
    const auto first = std::lower_bound(by_source_.begin(), by_source_.end(), std::pair(source, ExprId(0)));
    for (auto entry = first; entry != by_source_.end() && entry->first == source; ++entry)
        if (entry->second != expr && input_->kind(entry->second) == ExprKind::Call) all.push_back(entry->second);
    return all;
}

}  // namespace partita
