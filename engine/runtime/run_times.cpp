#include "engine/runtime/run_times.h"

#include <algorithm>

#include "engine/ir/called_function.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/runtime/timing.h"

namespace partita {

void RunTimes::add_calls(const InterpretedTimes& times) {
    for (auto [call, time] : times) call_samples_[call].push_back(time);
}

void RunTimes::add_steps(const StraightLine& line, const std::vector<double>& step_ms) {
    std::unordered_map<ExprId, double> region_ms;
    std::unordered_map<ExprId, double> op_ms;
    double default_ms = 0;
    const std::vector<FlatStep>& steps = line.graph().steps;
    for (size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].op.valid()) {
            default_ms += step_ms[i];
            continue;
        }
        region_ms[steps[i].function] += step_ms[i];
        for (const OpTime& op : line.region_op_times()[i]) {
            if (op.expr.valid()) op_ms[op.expr] += op.milliseconds;
            else (op.is_copy ? copies_ : layout_changes_)[steps[i].function].add(op.milliseconds, whole_ms_.size());
        }
    }
    step_samples_.insert(step_samples_.end(), step_ms.begin(), step_ms.end());
    default_samples_.push_back(default_ms);
    copy_samples_.push_back(line.copy_milliseconds());
    if (line.joint_plan()) add_changes(*line.joint_plan());
    for (auto [function, time] : region_ms) region_samples_[function].push_back(time);
    for (auto [expr, time] : op_ms) op_samples_[expr].push_back(time);
}

void RunTimes::add_changes(const JointPlan& plan) {
    change_samples_.resize(plan.plan().layouts().changes.size());
    for (const OpTime& time : plan.times())
        if (time.change < change_samples_.size()) change_samples_[time.change].push_back(time.milliseconds);
}

void RunTimes::report_layouts(const JointPlan& plan, RunReport& report) const {
    report.layouts = plan.plan().layouts();
    for (PlanLayouts::Step& step : report.layouts.steps) step.expr = module_.origin(step.expr);
    for (PlanLayouts::Change& change : report.layouts.changes)
        if (change.maker.valid()) change.maker = module_.origin(change.maker);
    for (const std::vector<double>& samples : change_samples_)
        report.layout_change_times.push_back(summarize_times(samples));
}

OpTiming RunTimes::op_timing(ExprId expr, const std::vector<double>& samples) const {
    const OpRecord* op = called_op_record(module_, expr);
    Timing time = summarize_times(samples);
    time.parts = {};  // a million operators have too many
    return {expr,          module_.origin(expr), op ? op->name : "call", std::move(time), call_flops(module_, expr),
            bytes_of(expr)};
}

double RunTimes::bytes_of(ExprId call) const {
    double bytes = type_bytes(module_.types(), module_.type(call));
    for (ExprId operand : module_.arguments(call)) bytes += type_bytes(module_.types(), module_.type(operand));
    return bytes;
}

void RunTimes::add_op(RegionTiming& region, ExprId call, const std::vector<double>& samples) const {
    region.ops.push_back(op_timing(call, samples));
    region.flops += region.ops.back().flops;
    region.bytes += region.ops.back().bytes;
}

RegionTiming RunTimes::start_default_region() const {
    RegionTiming region;
    region.name = region.backend = region.executed_by = "default";
    region.time = summarize_times(default_samples_);
    return region;
}

void RunTimes::report_steps(const FlatGraph& graph, RunReport& report) {
    report.time = summarize_times(whole_ms_);
    report.copy_time = summarize_times(copy_samples_);
    RegionTiming region = start_default_region();
    size_t count = graph.steps.size();
    std::vector<double> samples;
    for (size_t i = 0; i < count; ++i) {
        if (!graph.steps[i].op.valid()) continue;
        samples.clear();
        for (size_t run = 0; run < whole_ms_.size(); ++run) samples.push_back(step_samples_[run * count + i]);
        add_op(region, graph.steps[i].expr, samples);
    }
    region.calls = int(region.ops.size());
    if (region.calls > 0 || regions_.regions().empty()) report.regions.push_back(std::move(region));
    report_regions(report);
}

void RunTimes::report_regions(RunReport& report) {
    for (Region& region : regions_.regions()) {
        RegionTiming& timing = region.report;
        timing.time = summarize_times(region_samples_[region.function]);
        Extra &changes = layout_changes_[region.function], &copies = copies_[region.function];
        timing.layout_time = summarize_times(changes.samples);
        timing.layout_changes = changes.count;
        timing.copy_time = summarize_times(copies.samples);
        timing.copies = copies.count;
        if (region.compiled) {
            for (const std::string& notice : region.compiled->notices())
                timing.notice += (timing.notice.empty() ? "" : "; ") + notice;
            if (region.compiled->fell_back()) timing.executed_by = "default";
        }
        for (ExprId op : region.ops) {
            auto samples = op_samples_.find(op);
            if (samples == op_samples_.end()) continue;
            timing.ops.push_back(op_timing(op, samples->second));
            op_samples_.erase(samples);  // listed once, even if it is called in several places
        }
        report.regions.push_back(std::move(timing));
    }
}

void RunTimes::report_calls(RunReport& report) {
    report.time = summarize_times(whole_ms_);
    std::vector<ExprId> calls;
    for (const auto& [call, times] : call_samples_) calls.push_back(call);
    std::sort(calls.begin(), calls.end());
    default_samples_.assign(whole_ms_.size(), 0);
    RegionTiming region = start_default_region();
    for (ExprId call : calls) {
        const std::vector<double>& times = call_samples_[call];
        if (!module_.called_op(call).valid()) {
            ExprId function = called_function(module_, call);
            std::vector<double>& sums = region_samples_[function];
            sums.resize(whole_ms_.size());
            for (size_t i = 0; i < times.size(); ++i) sums[i] += times[i];
            continue;
        }
        for (size_t i = 0; i < times.size(); ++i) default_samples_[i] += times[i];
        add_op(region, call, times);
    }
    region.time = summarize_times(default_samples_);
    region.calls = int(region.ops.size());
    if (region.calls > 0 || regions_.regions().empty()) report.regions.push_back(std::move(region));
    report_regions(report);
}

}  // namespace partita
