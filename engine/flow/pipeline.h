// The only place that runs passes: it names and times each, cancels, and stops at the requested stage.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/flow/size_limits.h"
#include "engine/passes/merge_composite.h"

namespace partita {

/// An expression of the input that is placed with a call of the module.
struct CallOrigin {
    ExprId call;
    ExprId origin;
    bool of_composite;  ///< the origin is inside the called composite: known if the call is offloaded
};

/// The results that do not depend on manual assignments.
struct PreparedFlow {
    ModulePtr module;
    FlowOptions options;              ///< the options it was made with, reset where they make no difference
    std::vector<StageModule> stages;  ///< before the placement
    DecisionLog log;                  ///< of these
    std::vector<PassTime> times;
    std::unique_ptr<const Placer> placer;
    std::vector<CallOrigin> origins;
};

class Pipeline {
public:
    /// `prepared` may be null; otherwise it matches the module and the options.
    Pipeline(ModulePtr module, const FlowOptions& options, const DroppedCalls& dropped, const PreparedFlow* prepared)
        : options_(options), dropped_(dropped), prepared_(prepared), current_(std::move(module)),
          root_size_(current_->size()) {}

    Result<FlowResult> run();
    Result<PreparedFlow> prepare();

private:
    /// Runs what gives a Result; what every pass and the placement go through.
    template <class Run>
    std::invoke_result_t<Run> step(const char* name, Run run);
    /// Runs `pass` on the current module and makes its result the current one.
    template <class Pass>
    Status pass(const char* name, Pass pass);
    Status place();
    Status prepare_module();
    void take_prepared();
    Status rewrite();
    Status merge_composites(const MatchFilter& keeps);
    Status annotate();
    Status merge();
    PartitionOptions partition_options() const;
    Status partition();
    Status divide();
    Status collect();
    Status divide_by_table();
    Status optimize_regions();
    void forget_groups();
    void drop_calls();
    void note_placement();
    bool adds_nothing() const;
    DecisionLog* log() { return options_.log_decisions ? &result_.log : nullptr; }
    bool by_table() const { return options_.annotate && (options_.reported || !options_.partitioner.is_own()); }
    bool goes_to(FlowStage stage) const { return int(options_.until) >= int(stage); }

    const FlowOptions& options_;
    const DroppedCalls& dropped_;
    const PreparedFlow* prepared_;
    ModulePtr current_;
    size_t root_size_;  ///< size of the module that origins refer to
    FlowResult result_;
    RegionGroups groups_;   ///< the user's, and those of annotators
    bool grouped_ = false;  ///< marks of the current module name groups of regions
};

/// Runs the pipeline until every region is within the limits of its backend, because dropping a region changes what its
/// neighbours merge with. Each round drops at least one call; in practice one or two rounds suffice.
Result<FlowResult> run_within_limits(ModulePtr module, const FlowOptions& options, const PreparedFlow* prepared);

}  // namespace partita
