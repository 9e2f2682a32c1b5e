// Runs a backend's plan of several regions in the place of a graph's steps, and counts its times to these steps.
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

    /// `graph` is the same function with the regions as steps. `step_ms` has room for one time for each of its steps,
    /// or is null; `op_times` gets for each step that calls a sub-function the times inside it.
    Status run(const RegionRun& run, const FlatGraph& graph, double* step_ms,
               std::vector<std::vector<OpTime>>& op_times);

    /// What stands in a table of compiled regions for one that runs in a plan.
    static std::unique_ptr<CompiledRegion> stand_in(std::vector<std::string> notices);

private:
    void find_steps(const FlatGraph& graph);

    std::unique_ptr<CompiledPlan> plan_;
    std::vector<FlatRegion> regions_;
    std::vector<OpTime> times_;
    std::vector<uint32_t> step_of_time_;  ///< the step to which each time counts, or kNone
};

}  // namespace partita
