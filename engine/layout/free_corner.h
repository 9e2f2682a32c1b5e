// Where a label stands at a node so that it hides no edge.
#pragma once

#include <array>
#include <span>

#include "engine/layout/graph_layout.h"

namespace partita {

/// The stretch of an edge next to a node: a cubic curve.
using EdgeEnd = std::array<LayoutPoint, 4>;

/// Returns the place of a label at the right of a node: on the lower corner; if an edge runs through that, in the
/// node's first line, which its text leaves free from `free_from` on, if there is room, else on the upper corner if no
/// edge runs through that one; else on the lower one. Linear in the edges.
LayoutBox free_corner(const LayoutBox& node, double width, double height, double free_from,
                      std::span<const EdgeEnd> edges);

}  // namespace partita
