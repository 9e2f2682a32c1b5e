// Reads the graph JSON of Google's Model Explorer: what its adapters make of any program's graph, and what people write
// for it by hand.
//
// Source: the data classes of its Python package, `graph_builder.py` (2024 to 2026). Read: id, label, namespace, attrs,
// incomingEdges, and tensor_name and tensor_shape in outputsMetadata.
#pragma once

#include <string_view>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/support/cancel.h"

namespace partita {

bool looks_like_model_explorer(std::string_view text);

struct ModelExplorerFile {
    Graph graph;                      ///< the first; a node is named "namespace/id", and its operator is its label
    std::vector<std::string> others;  ///< the ids of further graphs in the file, which are not read
};

/// What nobody uses is a result. Inputs that are numbered stand in that order, others in the order of the file. Fails
/// with line and column. Linear.
Result<ModelExplorerFile> read_model_explorer(std::string_view text, const CancelToken& cancel = {});

}  // namespace partita
