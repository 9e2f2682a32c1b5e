#include "engine/session/session.h"

namespace partita {

Result<RunReport> run_partitioned(ModulePtr partitioned, const RunOptions& options) {
    return run_module(std::move(partitioned), options);
}

void number_operators(RunReport& report, const Module& started_from) {
    const ExpressionNames names(started_from);
    for (RegionTiming& region : report.regions)
        for (OpTiming& op : region.ops) op.number = names.number(op.origin);
}

Result<RunComparison> run_and_compare(ModulePtr partitioned, ModulePtr original, const RunOptions& options,
                                      double tolerance) {
    RunOptions same_inputs = options;
    same_inputs.inputs = make_inputs(*original, options.seed, options.inputs);
    Result<RunReport> report = run_module(std::move(partitioned), same_inputs);
    if (!report) return report.error();
    same_inputs.warmup = 0;
    same_inputs.repeat = 1;
    same_inputs.all_on_default = true;  // the original may contain a partition
    Result<RunReport> reference = run_module(std::move(original), same_inputs);
    if (!reference) return reference.error();
    RunComparison comparison{std::move(*report), std::move(*reference)};
    comparison.report.differences = compare_outputs(comparison.report.outputs, comparison.reference.outputs, tolerance);
    return comparison;
}

}  // namespace partita
