#include <unordered_map>

#include "engine/flow/region_names.h"
#include "engine/passes/in_double.h"
#include "engine/session/session.h"

namespace partita {

namespace {

/// Runs `original` in float64 to tell rounding from faults. That it can't be done is no fault of the run.
Status judge_in_double(RunComparison& comparison, const Module& original, const RunOptions& options) {
    Result<Module> widened = in_double(original);
    Result<RunReport> exact = widened ? run_module(std::make_shared<Module>(std::move(*widened)), options)
                                      : Result<RunReport>(widened.error());
    if (options.cancel.cancelled()) return error("cancelled");
    if (!exact) comparison.report.not_judged = exact.error().message;
    else judge(comparison.report.differences, comparison.report.outputs, comparison.reference.outputs, exact->outputs);
    return Nothing();
}

/// Gives regions that know their function their short names.
template <class Region>
void give_short_names(std::vector<Region>& regions, const FlowResult& flow, const ExpressionNames& names) {
    std::unordered_map<std::string_view, const RegionInfo*> by_function;
    for (const RegionInfo& region : flow.regions) by_function.emplace(region.function, &region);
    for (Region& region : regions)
        if (const auto found = by_function.find(region.name); found != by_function.end())
            region.short_name = region_name(*found->second, names);
}

/// Gives what happened in a region, or calls it, the region's short name.
void name_events(RunReport& report) {
    const auto name = [&report](int region, std::string& name) {
        if (region < 0 || size_t(region) >= report.regions.size()) return;
        const RegionTiming& timing = report.regions[size_t(region)];
        if (name == timing.name) name = timing.shown();
    };
    for (TraceEvent& event : report.trace) name(event.region, event.name);
    for (MemoryUse::Step& step : report.memory.steps) name(step.region, step.name);
    for (MemoryUse::Block& block : report.memory.blocks) name(block.owner.region, block.owner.name);
}

}  // namespace

Result<RunReport> run_partitioned(ModulePtr partitioned, const RunOptions& options) {
    return run_module(std::move(partitioned), options);
}

void number_operators(RunReport& report, const Module& started_from, const FlowResult* flow) {
    const ExpressionNames names(started_from);
    if (flow) {
        give_short_names(report.regions, *flow, names);
        name_events(report);
    }
    for (RegionTiming& region : report.regions)
        for (OpTiming& op : region.ops) op.number = names.number(op.origin);
    const auto number = [&names](MemoryUse::Step& step) {
        if (step.origin.valid()) step.number = names.number(step.origin);
    };
    for (MemoryUse::Step& step : report.memory.steps) number(step);
    for (MemoryUse::Block& block : report.memory.blocks) number(block.owner);
}

void name_regions(std::vector<RegionDifference>& regions, const FlowResult& flow) {
    give_short_names(regions, flow, ExpressionNames(*flow.input));
}

Result<RunComparison> run_and_compare(ModulePtr partitioned, const ModulePtr& original, const RunOptions& options,
                                      double tolerance) {
    RunOptions same_inputs = options;
    same_inputs.inputs = make_inputs(*original, options.seed, options.inputs);
    Result<RunReport> report = run_module(std::move(partitioned), same_inputs);
    if (!report) return report.error();
    same_inputs.warmup = 0;
    same_inputs.repeat = 1;
    same_inputs.all_on_default = true;  // the original may contain a partition
    Result<RunReport> reference = run_module(original, same_inputs);
    if (!reference) return reference.error();
    RunComparison comparison{std::move(*report), std::move(*reference)};
    comparison.report.differences = compare_outputs(comparison.report.outputs, comparison.reference.outputs, tolerance);
    if (!wants_judging(comparison.report.differences)) return comparison;
    if (Status judged = judge_in_double(comparison, *original, same_inputs); !judged) return judged.error();
    return comparison;
}

}  // namespace partita
