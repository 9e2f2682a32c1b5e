#include <algorithm>
#include <map>

#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/session/session.h"

namespace partita {

ModuleSummary summarize(const Module& module) {
    ModuleSummary summary;
    summary.functions = int(module.functions().size());
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    std::map<std::string, OpCount> counts;
    for (ExprId id : post_order(module, roots)) {
        if (module.kind(id) == ExprKind::Constant) {
            ++summary.constants;
            summary.constant_bytes += double(module.constant(id).byte_size());
        }
        if (module.kind(id) != ExprKind::Call) continue;
        ++summary.calls;
        const OpRecord* op = called_op_record(module, id);
        OpCount& count = counts[op ? op->name : std::string()];
        double flops = call_flops(module, id);
        ++count.calls;
        count.flops += flops;
        summary.flops += flops;
    }
    for (auto& [name, count] : counts) {
        count.op = name;
        summary.ops.push_back(count);
    }
    std::stable_sort(summary.ops.begin(), summary.ops.end(),
                     [](const OpCount& a, const OpCount& b) { return a.calls > b.calls; });
    ExprId main = module.find_function("main");
    if (!main.valid()) return summary;
    for (ExprId parameter : module.parameters(main)) {
        ++summary.parameters;
        summary.parameter_bytes += type_bytes(module.types(), module.type(parameter));
        summary.inputs.emplace_back(module.name(parameter), module.types().to_string(module.type(parameter)));
    }
    summary.output_type = module.types().to_string(module.function_info(main).return_type);
    return summary;
}

bool has_annotations(const Module& module) {
    OpId begin = op_registry().find("annotation.compiler_begin");
    for (uint32_t i = 0; i < module.size(); ++i)
        if (begin.valid() && module.called_op(ExprId(i)) == begin) return true;
    return false;
}

bool carries_regions(const Module& module) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (module.kind(ExprId(i)) == ExprKind::Function && module.function_info(ExprId(i)).attribute("Compiler")) return true;
    return false;
}

std::vector<std::string> backends_of_module(const Module& module) {
    const OpId begin = op_registry().find("annotation.compiler_begin");
    std::vector<std::string> names;
    std::vector<bool> seen(module.size());
    const auto add = [&names](std::string_view name) {
        if (names.size() > kMostBackends) return;
        if (!name.empty() && name != "default" && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    };
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId id(i);
        if (module.kind(id) == ExprKind::Function) add(module.function_info(id).string_attribute("Compiler"));
        if (!begin.valid() || module.called_op(id) != begin || !module.attributes_id(id).valid()) continue;
        // Many marks share their attributes.
        const uint32_t attributes = module.attributes_id(id).value;
        if (attributes < seen.size() && seen[attributes]) continue;
        if (attributes < seen.size()) seen[attributes] = true;
        if (const std::string* name = module.attributes(module.attributes_id(id))[0].as_string()) add(*name);
    }
    return names;
}

}  // namespace partita
