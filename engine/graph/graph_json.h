// A plain graph as JSON: {"format": "partita-graph", "version": 1, "inputs": [...], "outputs": [...], "constants":
// [...], "nodes": [{"name", "op", "inputs", "outputs", "attributes", "after"}], "values": {NAME: {"dtype", "shape"}}}.
// The schema is resources/partita-graph.schema.json.
#pragma once

#include <string>
#include <string_view>

#include "engine/graph/graph.h"
#include "engine/support/cancel.h"

namespace partita {

inline constexpr int kGraphJsonVersion = 1;

/// Returns whether a JSON text begins as a plain graph does: its "format" stands within the first members.
bool looks_like_graph_json(std::string_view text);

/// Reads a graph. A value that a node uses must be an input, a constant or made by a node; a value is made once. Fails
/// with line and column. Linear.
Result<Graph> read_graph_json(std::string_view text, const CancelToken& cancel = {});

std::string write_graph_json(const Graph& graph);

}  // namespace partita
