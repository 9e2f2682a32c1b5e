// Paints the edges of a graph: curves with arrows where there is room, lines in one call where there are thousands.
#pragma once

#include "app/gui/canvas/paint_scene.h"

namespace partita {

void paint_edges(const PaintScene& scene, const std::vector<uint32_t>& edges);
/// Near by, edges across which a merge was refused lie over the nodes and their marks; paint_edges leaves them out.
void paint_refused_edges(const PaintScene& scene, const std::vector<uint32_t>& edges);
/// The signs on those, each where it lies under none of the labels that were painted.
void paint_refusals(const PaintScene& scene, const std::vector<uint32_t>& edges, const std::vector<QRectF>& labels);

}  // namespace partita
