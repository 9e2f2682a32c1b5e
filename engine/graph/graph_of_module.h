// A module's function as a plain graph: a node for each call and each if, a value for each tensor. Tuples, projections
// and lets are gone: a call that makes a tuple has several outputs. What an if chooses from stands beside it as
// ordinary nodes and feeds it.
#pragma once

#include <functional>
#include <string>

#include "engine/graph/graph.h"

namespace partita {

/// Returns the graph of @main, or of the only function. `name_of` gives the names of nodes. Linear.
Graph graph_of_module(const Module& module, const std::function<std::string(ExprId)>& name_of);

}  // namespace partita
