// Runs a flat graph step by step: kernels of `default` and compiled regions, in one arena planned in advance.
//
// Built once, run many times; a step costs its kernel and about 20 ns. Steps whose result has the bytes of their
// operand under another type (reshape and others) do not run: the values share memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/program/backend.h"
#include "engine/program/flat_graph.h"
#include "engine/program/joint_plan.h"

namespace partita {

class StraightLine {
public:
    /// Builds a runner. `regions` has the compiled region of each step that calls a sub-function, null for the others;
    /// they must outlive the result. Fails if an op has no kernel.
    static Result<std::unique_ptr<StraightLine>> make(const Module& module, FlatGraph graph,
                                                      std::vector<CompiledRegion*> regions);

    /// Makes `run` use a plan instead of the steps. The plan was compiled from the same function.
    void use_plan(std::unique_ptr<JointPlan> plan) { plan_ = std::move(plan); }

    const FlatGraph& graph() const { return graph_; }
    /// Returns the bytes that `run` needs for the arena and the regions.
    size_t workspace_bytes() const { return plan_ ? plan_->plan().workspace_bytes() : arena_bytes_ + region_bytes_; }
    /// Returns null without a plan.
    const JointPlan* joint_plan() const { return plan_.get(); }
    /// Returns the regions that steps of a plan belong to; none without one.
    std::span<const FlatRegion> plan_regions() const {
        return plan_ ? plan_->regions() : std::span<const FlatRegion>();
    }
    /// Returns the bytes of all intermediate values without sharing memory.
    size_t unshared_bytes() const { return plan_ ? plan_->plan().unshared_bytes() : unshared_bytes_; }
    /// Returns what the memory is for. The steps are those of the graph, or of the plan.
    PlannedMemory memory() const;
    /// Returns the bytes that a run copies for outputs that are inputs, constants or repeated.
    size_t copied_bytes() const { return plan_ ? 0 : copied_bytes_; }
    size_t copies() const { return plan_ ? 0 : copies_.size(); }
    /// Returns the time of these copies in the last run.
    double copy_milliseconds() const { return copy_milliseconds_; }

    /// Runs the graph. `step_ms`, if not null, has space for the time of each step. `run.workspace` must be set.
    Status run(const RegionRun& run, double* step_ms);
    /// Returns, for each step of the last run, the times inside its region, if it reports them.
    const std::vector<std::vector<OpTime>>& region_op_times() const { return region_op_times_; }

private:
    StraightLine(const Module& module, FlatGraph graph) : module_(module), graph_(std::move(graph)) {}

    struct Instruction {
        Kernel kernel;  ///< null: a region, or nothing to do if that is null too
        CompiledRegion* region;
        AttributesView attributes;
        uint32_t views_begin, input_count, output_count;
    };
    struct Copy {
        uint32_t output;
        ValueId value;
    };

    Status plan(std::vector<CompiledRegion*> regions);
    void plan_memory_of_values();
    void* address(ValueId value, const RegionRun& run) const;
    void bind(const RegionRun& run);
    Status run_step(size_t number, const RegionRun& run);
    Status run_steps(const RegionRun& run, double* step_ms);
    void copy_outputs(const RegionRun& run);

    const Module& module_;
    FlatGraph graph_;
    std::vector<ValueId> memory_of_;  ///< the value whose memory a value uses: usually itself
    std::vector<size_t> offset_;      ///< in the arena, for values that own memory there
    std::vector<PlannedMemory::Block> blocks_;
    std::vector<uint32_t> output_of_;  ///< the output that a value is written to, or kNone
    std::vector<Instruction> instructions_;
    std::vector<TensorView> views_;
    std::vector<ValueId> view_values_;
    std::vector<Copy> copies_;
    std::vector<const void*> bound_;  ///< pointers of the last run
    std::vector<std::vector<OpTime>> region_op_times_;
    std::unique_ptr<JointPlan> plan_;
    double copy_milliseconds_ = 0;
    size_t arena_bytes_ = 0, region_bytes_ = 0, unshared_bytes_ = 0, copied_bytes_ = 0;
};

}  // namespace partita
