// Long narrow pictures in columns side by side, so that all of one can be read in a window.
#pragma once

#include "engine/layout/graph_layout.h"

namespace partita {

/// Cuts a picture between its rows where no more than two edges pass, and puts the pieces side by side, as many as make
/// it largest in a sight of `width` to `height`. Does nothing where the whole is shown at `readable` of its size, or
/// where columns would not make it a quarter larger. Linear but for sorting.
void put_in_columns(const LayoutGraph& graph, LayoutResult& layout, double width, double height, double readable);

}  // namespace partita
