// The engines behind lay_out, for graph_layout.cpp alone.
#pragma once

#include "engine/layout/graph_layout.h"

namespace partita {

/// Graphviz's dot, in the calling thread. Cannot be interrupted: graph_layout.cpp runs it on a thread that it can
/// leave behind. Not thread-safe.
Result<LayoutResult> lay_out_with_dot(const LayoutGraph& graph);

/// Our own layered layout, see layers_layout.cpp. Safe on any thread.
Result<LayoutResult> lay_out_in_layers(const LayoutGraph& graph, const CancelToken& cancel);

}  // namespace partita
