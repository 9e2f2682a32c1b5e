#include "engine/flow/flow.h"

#include "engine/flow/pipeline.h"

namespace partita {

ModulePtr FlowResult::last() const {
    for (const ModulePtr& stage : {partitioned, merged, annotated, composite, simplified})
        if (stage) return stage;
    return input;
}

FlowOptions rewriting_only(const FlowOptions& of) {
    FlowOptions options;
    options.lower = of.lower;
    options.simplify = of.simplify;
    options.fold = of.fold;
    options.until = FlowStage::Simplify;
    options.log_decisions = of.log_decisions;
    options.cancel = of.cancel;
    return options;
}

Result<FlowResult> run_flow(ModulePtr module, const FlowOptions& options) {
    return run_within_limits(std::move(module), options, nullptr);
}

}  // namespace partita
