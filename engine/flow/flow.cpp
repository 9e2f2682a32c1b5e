#include "engine/flow/flow.h"

#include "engine/flow/pipeline.h"
#include "engine/ops/annotations.h"

namespace partita {

ModulePtr FlowResult::stage(std::string_view name) const {
    for (const StageModule& each : stages)
        if (each.name == name) return each.module;
    return nullptr;
}

void FlowResult::set_stage(std::string_view name, ModulePtr module) {
    for (StageModule& each : stages)
        if (each.name == name) {
            each.module = std::move(module);
            return;
        }
    stages.push_back({std::string(name), std::move(module)});
}

ModulePtr FlowResult::last() const {
    if (partitioned) return partitioned;
    return stages.empty() ? input : stages.back().module;
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

PartitionerChoice PartitionerChoice::usual(const Module& module, const Graph* file) {
    PartitionerChoice choice;
    if (file && file->relax && !has_annotations(module) && !carries_regions(module)) choice.name = "relax";
    return choice;
}

Status check_own_options(const PartitionerChoice& choice) {
    if (!choice.is_own() || choice.options.empty()) return Nothing();
    return error("the partitioner tvm has the options of `partition`, such as --no-merge, and no others");
}

Result<FlowResult> run_flow(ModulePtr module, const FlowOptions& options) {
    return run_within_limits(std::move(module), options, nullptr);
}

}  // namespace partita
