// What the painter paints: a model, where everything stands, and how it is marked. Plain values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <QHash>
#include <QPointF>
#include <QRectF>
#include <QStringList>

#include "app/gui/canvas/graph_model.h"
#include "engine/layout/graph_layout.h"

namespace partita {

/// Finds what lies in a rectangle: a grid of cells with the items that touch each. Built in linear time for items of
/// similar size; a query costs what it returns and the cells it covers. Items that would lie in thousands of cells are
/// kept apart and found by every query near them.
class SpatialIndex {
public:
    SpatialIndex() = default;
    explicit SpatialIndex(const std::vector<QRectF>& items);
    /// Several items may belong to one owner, which is what is found: a long edge is indexed by its pieces.
    SpatialIndex(const std::vector<QRectF>& items, std::vector<uint32_t> owners, size_t owner_count);
    /// Appends the indices of items that may touch `area`, each once, in ascending order.
    void query(const QRectF& area, std::vector<uint32_t>& found) const;

private:
    QRectF bounds_;
    double cell_width_ = 1, cell_height_ = 1;
    int columns_ = 0, rows_ = 0;
    std::vector<uint32_t> begin_, items_;  ///< owners by cell
    std::vector<std::pair<QRectF, uint32_t>> large_;
    size_t owner_count_ = 0;
};

/// Where everything stands. Edges are cubic Bezier chains of 3n + 1 points.
struct GraphGeometry {
    std::vector<QRectF> nodes;
    std::vector<std::vector<QPointF>> edges;
    std::vector<QRectF> clusters;                          ///< by region of the decoration that it was laid out with
    std::vector<QRectF> frames;                            ///< by frame of the model
    std::vector<std::pair<uint32_t, QRectF>> more_frames;  ///< of a frame in several columns: which, and its next part
    QRectF bounds;
    bool left_to_right = false;  ///< else downwards
    SpatialIndex node_index, edge_index;

    void rebuild_index();
};
using GraphGeometryPtr = std::shared_ptr<const GraphGeometry>;

/// What a node is to the other one of two graphs that are compared.
enum class DiffMark : uint8_t { Same, Added, Removed, Changed, Affected };

struct RegionMark {
    QString label;
    QString mark;  ///< of a region that someone marked: stands at each of its nodes; it has no box of the layout
    int backend = -1;
    std::vector<uint32_t> nodes;
    int operators = -1;  ///< of it, where its nodes do not say that
};

/// What part of a group's nodes a backend takes, of 1.
struct BackendShare {
    int16_t backend = -1;
    float share = 0;
};

/// How nodes and edges are marked; changes without a new layout. Vectors are by node unless said otherwise.
struct GraphDecoration {
    std::vector<int16_t> backend;                       ///< -1 default, -2 not placed (parameters, constants)
    std::vector<int32_t> region;                        ///< index into regions, or -1
    std::vector<uint8_t> overridden;                    ///< given to its backend by hand
    std::vector<uint8_t> search_hit;                    ///< may be empty
    std::vector<float> heat;                            ///< 0..1, negative: no time known; empty: overlay off
    std::vector<uint8_t> tint;                          ///< 0 or the number of a colour; empty: none is chosen
    QStringList tints;                                  ///< the queries of the colours, from number 1 on
    std::vector<DiffMark> diff;                         ///< empty: nothing is compared
    std::vector<uint8_t> refused_edge;                  ///< by edge: a merge across it was refused
    std::vector<uint8_t> bookmarked;                    ///< may be empty
    QHash<uint32_t, std::vector<BackendShare>> shares;  ///< of groups whose nodes go to several backends
    std::vector<RegionMark> regions;
    QStringList backend_names;

    QString backend_name(int index) const;
};
inline bool has_tint(const GraphDecoration& decoration, uint32_t node) {
    return node < decoration.tint.size() && decoration.tint[node] > 0;
}

/// The graph for the layout: sizes, edges, clusters. A picture from left to right is laid out downwards, with rows and
/// columns exchanged.
LayoutGraph layout_graph(const GraphModel& model, const GraphDecoration& decoration, bool left_to_right = false);
/// `regions` is the number of the decoration's regions: the clusters after them are the model's frames.
GraphGeometry geometry_of(const GraphModel& model, const LayoutResult& layout, size_t regions,
                          bool left_to_right = false);
/// A point of a cubic Bezier curve of four points, t from 0 to 1.
QPointF curve_point(const QPointF* points, double t);
/// A simple curve between two nodes, while a layout is moved to or where there is none.
std::vector<QPointF> straight_edge(const QRectF& from, const QRectF& to, bool left_to_right = false);

}  // namespace partita
