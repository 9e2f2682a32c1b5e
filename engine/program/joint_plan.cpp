#include "engine/program/joint_plan.h"

#include <algorithm>
#include <unordered_map>

namespace partita {

namespace {

constexpr uint32_t kNoStep = UINT32_MAX;

class StandIn : public CompiledRegion {
public:
    explicit StandIn(std::vector<std::string> notices) : notices_(std::move(notices)) {}
    Status run(const RegionRun&) override { return error("the region runs in a plan with others, not alone"); }
    std::vector<std::string> notices() const override { return notices_; }

private:
    std::vector<std::string> notices_;
};

/// The steps of a graph by call. A call in a function that was inlined several times has several, taken in turn.
class StepsByCall {
public:
    explicit StepsByCall(const FlatGraph& graph) {
        for (uint32_t i = 0; i < graph.steps.size(); ++i) entries_[graph.steps[i].expr].steps.push_back(i);
    }
    uint32_t next(ExprId call) {
        auto entry = entries_.find(call);
        if (entry == entries_.end()) return kNoStep;
        Entry& found = entry->second;
        return found.steps[found.next++ % found.steps.size()];
    }

private:
    struct Entry {
        std::vector<uint32_t> steps;
        size_t next = 0;
    };
    std::unordered_map<ExprId, Entry> entries_;
};

}  // namespace

std::unique_ptr<CompiledRegion> JointPlan::stand_in(std::vector<std::string> notices) {
    return std::make_unique<StandIn>(std::move(notices));
}

/// Returns whether the last run noted the same times, as all of a plan do that take the same steps.
bool JointPlan::has_order_of_times() const {
    return std::equal(times_.begin(), times_.end(), order_.begin(), order_.end(),
                      [](const OpTime& time, ExprId expr) { return time.expr == expr; });
}

/// Maps the times of a plan to steps.
void JointPlan::find_steps(const FlatGraph& graph) {
    StepsByCall steps(graph);
    std::vector<uint32_t> step_of_region;
    for (const FlatRegion& region : regions_) step_of_region.push_back(steps.next(region.call));
    step_of_time_.clear();
    order_.clear();
    for (const OpTime& time : times_) order_.push_back(time.expr);
    for (const OpTime& time : times_) {
        if (time.inside) step_of_time_.push_back(step_of_time_.empty() ? kNoStep : step_of_time_.back());
        else if (time.region != kNoStep) step_of_time_.push_back(step_of_region[time.region]);
        else step_of_time_.push_back(time.expr.valid() ? steps.next(time.expr) : kNoStep);
    }
}

Status JointPlan::run(const RegionRun& run, const FlatGraph& graph, double* step_ms,
                      std::vector<std::vector<OpTime>>& op_times) {
    times_.clear();
    RegionRun measured = run;
    measured.op_times = step_ms || run.op_times ? &times_ : nullptr;
    if (Status done = plan_->run(measured); !done) return done;
    if (!has_order_of_times()) find_steps(graph);
    for (std::vector<OpTime>& list : op_times) list.clear();
    if (step_ms) std::fill_n(step_ms, graph.steps.size(), 0.0);
    for (size_t i = 0; i < times_.size(); ++i) {
        uint32_t step = step_of_time_[i];
        if (step == kNoStep) continue;
        if (step_ms && !times_[i].inside) step_ms[step] += times_[i].milliseconds;
        bool region = !graph.steps[step].op.valid();
        if (region && (times_[i].inside || times_[i].region != kNoStep)) op_times[step].push_back(times_[i]);
    }
    return Nothing();
}

}  // namespace partita
