// Paints the edges of a graph: curves with arrows where there is room, lines in one call where there are thousands.
#pragma once

#include "app/gui/canvas/paint_scene.h"

namespace partita {

void paint_edges(const PaintScene& scene, const std::vector<uint32_t>& edges);
/// Near by, edges across which a merge was refused lie over the nodes and their marks; paint_edges leaves them out.
void paint_refused_edges(const PaintScene& scene, const std::vector<uint32_t>& edges);

}  // namespace partita
