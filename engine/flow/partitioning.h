// The flow's division by a partitioner of the table: which nodes each backend takes, what the partitioner makes of it,
// and both in expressions of the module.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/flow/flow.h"
#include "engine/flow/size_limits.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

struct PartitionedGraph {
    std::shared_ptr<const Graph> graph;
    Division division;
    bool is_changed = false;             ///< by hand, after the partitioner made it
    std::map<int32_t, int32_t> part_of;  ///< of regions that were taken apart since they waited for themselves: which
    Verdicts verdicts;  ///< by which it was made, in the order of the flow's backends; empty for a stated one
    std::vector<int32_t> region_of;   ///< by expression of the module; -1: none
    std::vector<int16_t> backend_of;  ///< by expression of the module: index into the options' backends, -1 default
    std::vector<std::string>
        backends;  ///< by region; what a region has in other branches are regions behind the others

    /// Regions of which no node became a call: they are of constants, or of parts of an operator that is one call here.
    std::vector<uint32_t> lost;

    void place_regions(const Module& module, const std::vector<BackendDescription>& known);
};

/// Returns a module's calls as a plain graph.
std::shared_ptr<const Graph> graph_of_calls(const Module& module);
/// Returns whether a backend's rules are about calls, not about the operators that the file states.
bool asks_about_calls(const BackendDescription& backend);
/// Returns whether a partitioner divides the module's calls though there is a graph of the file. `of_calls`: a
/// backend asks about those.
bool needs_calls(const std::string& partitioner, const Graph& graph, bool of_calls);
/// Returns the graph whose nodes the options' partitioner divides: the file's, or that of the module's calls.
Result<std::shared_ptr<const Graph>> graph_to_divide(const ModulePtr& module, const FlowOptions& options);

/// Returns what each backend would take of the module if it were the only one; assignments by hand and dropped calls
/// decide first. Of a report, what takes the rest is asked only where the report decides. `graph` is of the module.
Result<Verdicts> ask_backends(const ModulePtr& module, const Graph& graph, const FlowOptions& options,
                              const DroppedCalls& dropped);

/// Asks the backends, and divides by the options' partitioner. A call assigned by
/// hand goes to its backend, a dropped one to none. Fails with what the partitioner fails with.
Result<PartitionedGraph> partition_by_table(const ModulePtr& module, const FlowOptions& options,
                                            const DroppedCalls& dropped);

/// Says which regions can't be shown.
std::vector<std::string> warnings_of(const PartitionedGraph& made);

/// Returns which nodes a backend takes whose rules are about the file's operators.
std::vector<bool> taken_operators(const BackendDescription& backend, const FileOperators& operators, const Graph& graph,
                                  const CancelToken& cancel);

/// Records what patterns took or refused in the partitioner's own search, but for what the log has already: decisions
/// of the pass Composite, which come before those of the others.
void log_matches(const PartitionedGraph& made, const Module& module, DecisionLog& log);
/// Records what the partitioner noted, and why calls that are no node by themselves are where they are.
void log_division(const PartitionedGraph& made, const Module& module, DecisionLog& log);

}  // namespace partita
