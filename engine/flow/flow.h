// The passes in order: from a module and its placement to regions and the partitioned module.
//
// Everything here is a value or a pointer to something immutable, and may be called on any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/ir/decision_log.h"
#include "engine/ir/module.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/partition_graph.h"
#include "engine/passes/region_groups.h"
#include "engine/placement/placement.h"
#include "engine/rules/backend_description.h"
#include "engine/support/cancel.h"

namespace partita::relax {
struct Program;  // engine/frontends/relax/program.h
}

namespace partita {

enum class FlowStage : uint8_t { Simplify, Composite, Annotate, Merge, Partition };

struct ReportedDivision;  // engine/flow/reported_division.h
using ReportedPtr = std::shared_ptr<const ReportedDivision>;

/// Which algorithm divides. "tvm", the flow's own, merges annotated regions; others are of the table.
struct PartitionerChoice {
    static constexpr const char* kOwn = "tvm";
    std::string name = kOwn;  ///< in a request "": the usual one, with the options
    std::map<std::string, std::string, std::less<>> options;

    bool is_own() const { return name == kOwn; }
    /// By which a module is divided unless somebody chooses: a Relax file as Relax does, but for one with regions.
    static PartitionerChoice usual(const Module& module, const Graph* file);
    bool operator==(const PartitionerChoice&) const = default;
};
/// The flow's own has options of its commands, none as a partitioner.
Status check_own_options(const PartitionerChoice& choice);

struct FlowOptions {
    std::vector<BackendDescription> backends;  ///< in order of priority
    Overrides overrides;                       ///< expressions of the input module
    /// The overrides are a placement by cost: a match of a pattern that they do not give to its backend as a whole is
    /// left out, instead of going where one of its calls goes.
    bool by_cost = false;
    RegionGroups region_groups;  ///< groups kept apart by hand; expressions of the input module
    PartitionerChoice partitioner;
    ReportedPtr reported;  ///< its backends decide instead of rules: what was reported, or a partitioner of the table
    /// Of the file; of another module than the one that is divided, and where it is null, one is made from the module.
    std::shared_ptr<const Graph> graph;
    GraphOfFile graph_of_file;  ///< for partitioners that divide the nodes of a file; empty: they are those of `graph`
    bool lower = false;         ///< first write operators that Relay does not have as Relay's own
    bool simplify = false;      ///< SimplifyInference, then FoldConstants
    bool fold = false;          ///< FoldConstants alone
    bool composite = true;
    bool annotate = true;  ///< false: the input has its annotations already
    bool merge = true;
    AnnotateOptions annotate_options;
    PartitionOptions partition_options;
    FlowStage until = FlowStage::Partition;
    bool log_decisions = true;
    CancelToken cancel;

    /// Returns whether another module than the given one is divided.
    bool rewrites() const { return lower || simplify || fold; }
    /// Returns whether the division is that of a report.
    bool as_reported() const { return reported && partitioner.is_own(); }
};

/// Returns options that only make the module to be divided: what `of` does before it places.
FlowOptions rewriting_only(const FlowOptions& of);

/// A region as the user sees it.
struct RegionInfo {
    int backend = -1;  ///< index into FlowOptions::backends
    std::string backend_name;
    std::string function;             ///< the sub-function's name
    std::vector<ExprId> expressions;  ///< calls, tuples, projections of the input module
    int inputs = 0, outputs = 0;
    double flops = 0;
    double boundary_bytes = 0;  ///< bytes of inputs and outputs
};

/// What a step made of the module. Which steps there are is the partitioner's affair.
struct StageModule {
    std::string name;  ///< "simplified", "composite"; of `tvm` "annotated" and "merged", too
    ModulePtr module;
};

struct PassTime {
    std::string pass;
    double milliseconds = 0;
};

/// The results for a module and its options.
struct FlowResult {
    ModulePtr input;                  ///< the module that expressions in decisions, regions and overrides refer to
    std::vector<StageModule> stages;  ///< in order; without those that were not wanted or had nothing to do
    ModulePtr partitioned;            ///< with a function for each region; null before that is wanted
    Placement placement;              ///< for the module before it was annotated
    std::vector<int16_t> backend_of;  ///< by ExprId of `input`: index into backends, -1 default
    std::vector<int32_t> region_of;   ///< by ExprId of `input`: index into regions, or -1
    std::vector<RegionInfo> regions;
    DecisionLog log;
    std::vector<PassTime> times;
    std::vector<std::string> warnings;
    std::string partitioner = PartitionerChoice::kOwn;  ///< that divided
    std::shared_ptr<const relax::Program> relax;        ///< of a Relax file: the program that `last()` is of
    ReportedPtr reported;                               ///< what decided; null: rules
    bool annotated_before = false;                      ///< `input` was annotated: no rule was evaluated
    std::vector<bool>
        carried;  ///< by ExprId of `input`: in a region of the input itself, or a call of one; empty: none

    /// Returns what the step of that name made; null if there is none.
    ModulePtr stage(std::string_view name) const;
    /// Adds a stage, or puts another module in its place.
    void set_stage(std::string_view name, ModulePtr module);
    /// Returns what was made last.
    ModulePtr last() const;
};

/// Runs the flow. With options.lower, simplify or fold the rewritten module becomes `input`. Fails if a pass fails, if
/// more than kMostBackends are given or named by the module, and with "cancelled".
Result<FlowResult> run_flow(ModulePtr module, const FlowOptions& options);

}  // namespace partita
