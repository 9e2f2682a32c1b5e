// Runs a flat graph step by step: kernels of `default` and compiled regions, over one arena planned beforehand.
//
// Made once, run many times; a step costs its kernel and about 20 ns. Steps whose result is their operand's bytes
// under another type (reshape and the like) are not run: the values share memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/backends/backend.h"
#include "engine/runtime/flat_graph.h"
#include "engine/runtime/joint_plan.h"
#include "engine/runtime/lanes.h"

namespace partita {

class StraightLine {
public:
    /// `regions` has for each step that calls a sub-function what executes it, null for the others; they must outlive
    /// the result. Fails where an op has no kernel. With several `lanes`, steps run side by side, each with `threads`;
    /// values then share no memory.
    static Result<std::unique_ptr<StraightLine>> make(const Module& module, FlatGraph graph,
                                                      std::vector<CompiledRegion*> regions, int lanes = 1, int threads = 0);

    /// From now on `run` runs a plan in place of the steps. It was compiled from the same function.
    void use_plan(std::unique_ptr<JointPlan> plan) { plan_ = std::move(plan); }

    const FlatGraph& graph() const { return graph_; }
    /// What `run` needs: the arena, and room for the regions.
    size_t workspace_bytes() const { return plan_ ? plan_->plan().workspace_bytes() : arena_bytes_ + region_bytes_ * size_t(lane_count()); }
    /// What all intermediate values would take without sharing memory.
    size_t unshared_bytes() const { return plan_ ? plan_->plan().unshared_bytes() : unshared_bytes_; }
    /// Bytes that outputs cost in copies, because they are inputs, constants or stand there twice.
    size_t copied_bytes() const { return plan_ ? 0 : copied_bytes_; }
    size_t copies() const { return plan_ ? 0 : copies_.size(); }
    /// What they took in the last run.
    double copy_milliseconds() const { return copy_milliseconds_; }

    /// `step_ms`, if not null, has room for one time for each step. `run.workspace` must be given.
    Status run(const RegionRun& run, double* step_ms);
    int lane_count() const { return lanes_ ? lanes_->count() : 1; }
    /// Where a step ran and when it began, after a run in several lanes.
    struct Place {
        double start_ms = 0;
        int lane = 0;
    };
    /// By step; empty with one lane: one step began where the last one ended.
    const std::vector<Place>& places() const { return places_; }
    /// For each step, after a run: the times inside its region, where that can tell.
    const std::vector<std::vector<OpTime>>& region_op_times() const { return region_op_times_; }

private:
    StraightLine(const Module& module, FlatGraph graph) : module_(module), graph_(std::move(graph)) {}

    struct Instruction {
        Kernel kernel;            ///< null: a region, or nothing to do where that is null too
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
    Status run_step(size_t number, const RegionRun& run, ThreadPool& threads, int lane);
    Status run_in_order(const RegionRun& run, double* step_ms);
    Status run_in_lanes(const RegionRun& run, double* step_ms);
    void copy_outputs(const RegionRun& run);

    const Module& module_;
    FlatGraph graph_;
    std::vector<ValueId> memory_of_;     ///< the value whose memory a value uses: mostly itself
    std::vector<size_t> offset_;         ///< in the arena, of values that own memory there
    std::vector<uint32_t> output_of_;    ///< the output into which a value is written, or kNone
    std::vector<Instruction> instructions_;
    std::vector<TensorView> views_;
    std::vector<ValueId> view_values_;
    std::vector<Copy> copies_;
    std::vector<const void*> bound_;     ///< the pointers of the last run
    std::vector<std::vector<OpTime>> region_op_times_;
    std::unique_ptr<JointPlan> plan_;
    std::unique_ptr<Lanes> lanes_;                            ///< null: one step after the other
    std::vector<std::unique_ptr<ThreadPool>> lane_threads_;   ///< by lane
    std::vector<Place> places_;
    double copy_milliseconds_ = 0;
    size_t arena_bytes_ = 0, region_bytes_ = 0, unshared_bytes_ = 0, copied_bytes_ = 0;
};

}  // namespace partita
