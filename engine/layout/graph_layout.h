// Graph layout: plain structs in, plain structs out, Graphviz behind it. Knows neither modules nor Qt.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// A position in points (1/72 inch); y grows downward. Positions of nodes are their centres.
struct LayoutPoint {
    double x = 0, y = 0;
};

struct LayoutNode {
    double width = 0, height = 0;
    int32_t cluster = -1;  ///< index into clusters, or -1
};

struct LayoutEdge {
    uint32_t from = 0, to = 0;  ///< indices into nodes
};

struct LayoutGraph {
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    std::vector<std::string> clusters;  ///< labels; nodes of a cluster are kept together
};

struct LayoutBox {
    double left = 0, top = 0, right = 0, bottom = 0;
};

struct LayoutResult {
    std::vector<LayoutPoint> nodes;               ///< by node
    std::vector<std::vector<LayoutPoint>> edges;  ///< by edge: control points of a cubic B-spline: 3n + 1 points
    std::vector<LayoutBox> clusters;              ///< by cluster
    /// Further boxes of a cluster that stands in several columns, and which it is.
    std::vector<std::pair<uint32_t, LayoutBox>> more_boxes;
    double width = 0, height = 0;
};

enum class LayoutEngine : uint8_t {
    Dot,     ///< Graphviz's dot: the best picture; superlinear
    Layers,  ///< longest-path layering with barycentre ordering: near linear, for graphs too large for dot
    Auto,    ///< Dot up to a size that takes well under a second, else Layers; also Layers when dot takes too long
};

/// Lays out a graph. Returns an error on cancel. A lock serializes calls of Graphviz, which is not thread-safe.
Result<LayoutResult> lay_out(const LayoutGraph& graph, LayoutEngine engine, const CancelToken& cancel);

}  // namespace partita
