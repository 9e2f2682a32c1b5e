// The engines behind lay_out, used by graph_layout.cpp only.
#pragma once

#include "engine/layout/graph_layout.h"

namespace partita {

/// Runs Graphviz's dot in the calling thread. Cannot be interrupted: graph_layout.cpp runs it on a thread that it can
/// abandon. Not thread-safe.
Result<LayoutResult> lay_out_with_dot(const LayoutGraph& graph);

/// Runs the program's own layered layout, see layers_layout.cpp. Thread-safe.
Result<LayoutResult> lay_out_in_layers(const LayoutGraph& graph, const CancelToken& cancel);

}  // namespace partita
