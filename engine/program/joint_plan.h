// Runs a backend's plan of several regions in place of a graph's steps, and assigns its times to these steps.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/program/backend.h"
#include "engine/program/flat_graph.h"

namespace partita {

class JointPlan {
public:
    /// `regions`: those of the graph that the plan was compiled from.
    JointPlan(std::unique_ptr<CompiledPlan> plan, std::vector<FlatRegion> regions)
        : plan_(std::move(plan)), regions_(std::move(regions)) {}

    const CompiledPlan& plan() const { return *plan_; }
    std::span<const FlatRegion> regions() const { return regions_; }

    /// Runs the plan. `graph` is the same function with the regions as steps. `step_ms` has space for the time of each
    /// step, or is null; `op_times` receives the times inside each step that calls a sub-function.
    Status run(const RegionRun& run, const FlatGraph& graph, double* step_ms,
               std::vector<std::vector<OpTime>>& op_times);

    /// Returns the times of the last run, if it measured them, in the order of the plan.
    std::span<const OpTime> times() const { return times_; }

    /// Returns a placeholder in the table of compiled regions for a region that runs in a plan.
    static std::unique_ptr<CompiledRegion> stand_in(std::vector<std::string> notices);

private:
    bool has_order_of_times() const;
    void find_steps(const FlatGraph& graph);

    std::unique_ptr<CompiledPlan> plan_;
    std::vector<FlatRegion> regions_;
    std::vector<OpTime> times_;
    std::vector<uint32_t> step_of_time_;  ///< the step of each time, or kNone
    std::vector<ExprId> order_;           ///< of these times
};

}  // namespace partita
