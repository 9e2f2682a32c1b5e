// A plain graph as a Relax program of one dataflow block, so that Relax's passes divide any module.
#pragma once

#include "engine/frontends/relax/to_module.h"

namespace partita::relax {

/// Fails for a graph that can't run. `module` is that of the nodes' expressions.
Result<Text> program_of_graph(const Graph& graph, const NodeLinks& links);

}  // namespace partita::relax
