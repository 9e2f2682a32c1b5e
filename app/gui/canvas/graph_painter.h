// Paints a graph: what lies in the exposed part, in the detail that the scale can show. Computes nothing, so that the
// canvas, the minimap, pictures and print share it.
#pragma once

#include <QRectF>

#include "app/gui/canvas/graph_picture.h"
#include "app/gui/style/theme.h"

class QPainter;

namespace partita {

struct PaintOptions {
    QRectF exposed;    ///< in the graph's coordinates
    double scale = 1;  ///< device pixels for one unit: decides on detail
    bool edge_types = false;
    bool edge_widths = false;
    bool regions = true;  ///< their outlines and labels
    /// Of more nodes and edges that are only dots and lines, every second, third, ... stands for the others.
    size_t most_dots = 12000, most_lines = 8000;
    bool is_frame = true;         ///< of a view, to be there in time; else curves are drawn however many they are
    bool stale_clusters = false;  ///< the geometry's clusters are of an older division: outline the nodes instead
};

/// What a person marked on the canvas; by node.
struct PaintMarks {
    std::vector<uint8_t> selected;  ///< may be empty
    int64_t hovered = -1;
    int64_t current = -1;              ///< the node with the keyboard's focus
    std::vector<uint8_t> highlighted;  ///< may be empty; 1 related, 2 strongly
};

/// The painter is set to the graph's coordinates.
void paint_graph(QPainter& painter, const GraphModel& model, const GraphGeometry& geometry,
                 const GraphDecoration& decoration, const PaintMarks& marks, const Theme& theme,
                 const PaintOptions& options);

/// The fill of a node: its backend's colour, or its heat.
QColor node_fill(const GraphModel& model, const GraphDecoration& decoration, uint32_t node, const Theme& theme);

/// Of the mark's outline and sign; with the theme's text colour where there is none.
QColor diff_colour(DiffMark mark, const Theme& theme);
/// "+", "−", "~", "t"; "" for what is the same.
QString diff_sign(DiffMark mark);

}  // namespace partita
