// Paints the edges of a graph: curves with arrows where there is room, lines in one call where there are thousands.
#pragma once

#include "app/gui/canvas/paint_scene.h"

namespace partita {

void paint_edges(const PaintScene& scene, const std::vector<uint32_t>& edges);

}  // namespace partita
