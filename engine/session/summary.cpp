#include <algorithm>
#include <iterator>

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
    std::vector<OpCount> counts(op_registry().records().size());
    OpCount others;  // calls of functions
    for (ExprId id : post_order(module, roots)) {
        if (module.kind(id) == ExprKind::Constant) {
            ++summary.constants;
            summary.constant_bytes += double(module.constant(id).byte_size());
        }
        if (module.kind(id) != ExprKind::Call) continue;
        ++summary.calls;
        const OpId op = module.called_op(id);
        OpCount& count = op.valid() ? counts[op.value] : others;
        double flops = call_flops(module, id);
        ++count.calls;
        count.flops += flops;
        summary.flops += flops;
    }
    for (size_t op = 0; op < counts.size(); ++op) counts[op].op = op_registry().records()[op].name;
    counts.push_back(std::move(others));
    std::copy_if(counts.begin(), counts.end(), std::back_inserter(summary.ops),
                 [](const OpCount& count) { return count.calls > 0; });
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
