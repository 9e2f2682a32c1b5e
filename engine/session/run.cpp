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

/// Finds the calls whose work a time is of. A backend that joins calls to one step times the one that they hang on:
/// what has no time is a part of what it uses in its region or, if that has none, of what uses it.
class StepMembers {
public:
    StepMembers(RunReport& report, const FlowResult& flow, const ExpressionNames& names)
        : report_(report), flow_(flow), names_(names), step_of_(flow.input->size()) {}

    void find() {
        std::unordered_map<std::string_view, size_t> regions;
        for (size_t i = 0; i < flow_.regions.size(); ++i) regions.emplace(flow_.regions[i].function, i);
        std::vector<std::vector<ExprId>> calls(flow_.regions.size());
        for (ExprId call : names_.calls())
            if (const int32_t region = flow_.region_of[call.value]; region >= 0) calls[size_t(region)].push_back(call);
        for (RegionTiming& timing : report_.regions)
            if (const auto found = regions.find(timing.name); found != regions.end())
                find(timing, calls[found->second]);
    }

private:
    void find(RegionTiming& timing, const std::vector<ExprId>& calls) {
        for (OpTiming& op : timing.ops)
            if (op.origin.valid()) step_of_[op.origin.value] = &op;
        for (ExprId call : calls)
            for (ExprId used : flow_.input->arguments(call))
                if (!step_of_[call.value] && is_in(used, call)) step_of_[call.value] = step_of_[used.value];
        for (size_t i = calls.size(); i-- > 0;)
            for (ExprId used : flow_.input->arguments(calls[i]))
                if (!step_of_[used.value] && is_in(used, calls[i])) step_of_[used.value] = step_of_[calls[i].value];
        for (ExprId call : calls)
            (step_of_[call.value] ? step_of_[call.value]->members : timing.members).push_back(names_.number(call));
        for (OpTiming& op : timing.ops)
            if (op.members.size() == 1) op.members.clear();
    }
    bool is_in(ExprId used, ExprId call) const {
        return flow_.region_of[used.value] == flow_.region_of[call.value] && flow_.input->kind(used) == ExprKind::Call;
    }

    RunReport& report_;
    const FlowResult& flow_;
    const ExpressionNames& names_;
    std::vector<OpTiming*> step_of_;  ///< by call
};

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
    if (flow && !flow->reported) StepMembers(report, *flow, names).find();
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
