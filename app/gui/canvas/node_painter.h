// Paints the nodes of a graph: boxes with lines of text near by, titles farther away, dots from afar.
#pragma once

#include "app/gui/canvas/paint_scene.h"

namespace partita {

void paint_nodes(const PaintScene& scene, const std::vector<uint32_t>& nodes);

}  // namespace partita
