// Search in a graph, in the language of engine/support/query.h: `op:nn.conv2d backend:default shape:*x3x* flops:>1e9`.
#pragma once

#include <vector>

#include <QString>

#include "app/gui/canvas/graph_picture.h"

namespace partita {

/// Nodes that match, ascending. An empty query matches nothing, nor does one with a fault.
std::vector<uint32_t> search_graph(const QString& query, const GraphModel& model, const GraphDecoration& decoration);
/// Whether a query takes so long for each node that no window should wait for it.
bool is_slow_query(const QString& query);

/// The first word's key that is none ("colour" of `colour:red`), or "".
QString unknown_search_key(const QString& query);
/// The first word whose regular expression or number can't be read, or "".
QString unreadable_search_word(const QString& query);

}  // namespace partita
