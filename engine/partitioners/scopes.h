// Dividing a graph with graphs in it: each by itself, bodies first, as ONNX Runtime does (core/framework/
// graph_partitioner.cc). A node that holds a body uses what the body takes from around it.
#pragma once

#include "engine/partitioners/partitioner.h"

namespace partita {

/// Calls of functions that nobody takes give way to their parts. Late ones do so in a second round, in which what was
/// taken is one node: ONNX Runtime's alone. Regions are sorted by their backends within a round.
Result<Division> divide_scopes(const Partitioner& partitioner, const PartitionerInput& input);

}  // namespace partita
