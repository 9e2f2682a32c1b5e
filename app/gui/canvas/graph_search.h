// Search in a graph: `op:nn.conv2d backend:default shape:*x3x*`. Terms are joined by "and"; a leading `-` turns a term
// round; `*` and `?` are wildcards; a term without a key looks at operators, attributes, types and names.
// Keys: op, name, backend, shape, type, attr, region.
#pragma once

#include <vector>

#include <QString>

#include "app/gui/canvas/graph_picture.h"

namespace partita {

/// Nodes that match, ascending. An empty query matches nothing.
std::vector<uint32_t> search_graph(const QString& query, const GraphModel& model, const GraphDecoration& decoration);

/// The first word's key that is none ("colour" of `colour:red`), or "".
QString unknown_search_key(const QString& query);

}  // namespace partita
