#include <algorithm>
#include <unordered_map>

#include "engine/ir/function_uses.h"
#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/session/session.h"

namespace partita {

ModuleSummary summarize(const Module& module) { return summarize(module, FunctionUses(module)); }

ModuleSummary summarize(const Module& module, const FunctionUses& uses) {
    ModuleSummary summary;
    summary.functions = int(module.functions().size());
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    std::unordered_map<OpId, OpCount> counts;
    OpCount others;  // calls of functions
    for (ExprId id : post_order(module, roots)) {
        if (module.kind(id) == ExprKind::Constant) {
            ++summary.constants;
            summary.constant_bytes += double(module.constant(id).byte_size());
        }
        if (module.kind(id) != ExprKind::Call) continue;
        const int64_t times = uses.times(id);
        summary.calls += times;
        const OpId op = module.called_op(id);
        OpCount& count = op.valid() ? counts[op] : others;
        const double flops = double(times) * call_flops(module, id);
        count.calls += times;
        count.flops += flops;
        summary.flops += flops;
    }
    for (auto& [op, count] : counts) {
        count.op = op_registry()[op].name;
        summary.ops.push_back(std::move(count));
    }
    if (others.calls > 0) summary.ops.push_back(std::move(others));
    std::sort(summary.ops.begin(), summary.ops.end(),
              [](const OpCount& a, const OpCount& b) { return a.calls != b.calls ? a.calls > b.calls : a.op < b.op; });
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

}  // namespace partita
