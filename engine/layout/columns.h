// Long narrow pictures in columns side by side, so that all of one can be read in a window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/layout/graph_layout.h"

namespace partita {

/// Cuts a picture between its rows where no more than three values pass, and puts the pieces side by side, as many as
/// make it largest in a sight of `width` to `height`. Where there is no such place, values that many use, or
/// that go to a node that takes many, do not count where they pass half a column or more. The first `whole` clusters
/// are not cut; those after them get a box in each column. Does nothing where the whole is shown at `readable` of its
/// size, or where columns would not make it a quarter larger; returns whether it did. Linear but for sorting.
bool put_in_columns(const LayoutGraph& graph, LayoutResult& layout, double width, double height, double readable,
                    size_t whole = SIZE_MAX);

}  // namespace partita
