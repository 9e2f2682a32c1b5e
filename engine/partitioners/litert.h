// Orders of a LiteRT file, which decide what its compiler plug-ins are given.
#pragma once

#include <utility>
#include <vector>

#include "engine/partitioners/partitioner.h"

namespace partita {

/// Returns pairs of nodes of which the first must run before the second because both touch a state: those that LiteRT
/// runs in the file's order (tflite/core/subgraph.cc:1203).
std::vector<std::pair<NodeId, NodeId>> litert_state_edges(const Graph& graph);

/// Returns an order in which the nodes can run with the fewest runs of nodes of one backend; with several backends and
/// very many choices, one with few.
Result<std::vector<NodeId>> order_with_fewest_runs(const PartitionerInput& input);

}  // namespace partita
