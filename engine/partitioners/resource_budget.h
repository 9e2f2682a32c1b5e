// What `session.resource_cuda_partitioning_settings` lets ONNX Runtime's CUDA provider take
// (core/framework/resource_accountant.cc): nodes and groups in order, up to the first that does not fit; those behind
// it are left, though they be small.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/support/sentence.h"

namespace partita {

/// Why nodes behind the end are left.
inline constexpr const char* kBudgetEnds = SENTENCE("Engine", "the budget of the provider ends before it");

class ResourceBudget {
public:
    /// Reads "KIB,FILE"; "" sets none. The statistics are those that `session.collect_node_memory_stats_to_file`
    /// writes.
    static Result<ResourceBudget> read(std::string_view setting);
    /// Returns the bytes that all nodes need, by the statistics of a file; "" for the estimate.
    static Result<double> needed(const Graph& graph, const std::string& file);

    /// Returns whether the nodes are within the budget, and counts them; false from the first that are not.
    bool take(const Graph& graph, const std::vector<NodeId>& nodes);

private:
    double cost(const Graph& graph, NodeId node);

    std::optional<double> bytes_;
    std::optional<std::map<std::string, double, std::less<>>> statistics_;  ///< by the name of a node
    std::set<GraphValueId> counted_;                                        ///< constants
    double used_ = 0;
    bool is_over_ = false;
};

}  // namespace partita
