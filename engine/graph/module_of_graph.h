// A plain graph as a module whose operators nobody knows: each node is a call of a foreign operator with the node's
// name as its label. For what works on modules. `after` has no place there.
#pragma once

#include "engine/graph/graph.h"

namespace partita {

/// Returns an untyped module, and notes in each node the call that it became. A value without a type is taken for a
/// float32 scalar, one of an unknown element type for float32. Fails where nodes wait for each other, or for shapes
/// that nobody can hold.
/// `more` are texts that become the attribute "arguments" of nodes; none: there are none.
Result<Module> module_of_graph(Graph& graph, std::span<const std::string> more = {});

}  // namespace partita
