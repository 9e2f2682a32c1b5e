#include "app/gui/canvas/graph_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace partita {

namespace {

/// Widened, so that a straight vertical edge, whose box has no area, still lies in cells.
QRectF box_of(std::span<const QPointF> points) {
    double left = points[0].x(), right = left, top = points[0].y(), bottom = top;
    for (const QPointF& point : points) {
        left = std::min(left, point.x());
        right = std::max(right, point.x());
        top = std::min(top, point.y());
        bottom = std::max(bottom, point.y());
    }
    return QRectF(left - 1, top - 1, right - left + 2, bottom - top + 2);
}

/// The height of a frame's name, for which the layout leaves room where the graph begins: at its left here.
constexpr double kFrameLabel = 14;

/// An item over more cells than this is kept apart.
constexpr size_t kMostCells = 512;

struct CellRange {
    int left, top, right, bottom;
};

}  // namespace

SpatialIndex::SpatialIndex(const std::vector<QRectF>& items) : SpatialIndex(items, {}, items.size()) {}

SpatialIndex::SpatialIndex(const std::vector<QRectF>& items, std::vector<uint32_t> owners, size_t owner_count)
    : owner_count_(owner_count) {
    for (const QRectF& item : items) bounds_ |= item;
    if (items.empty() || bounds_.isEmpty()) return;
    // About two items a cell; the shape of the grid follows the shape of the picture.
    const double cells = double(items.size()) / 2;
    const double aspect = bounds_.width() / bounds_.height();
    columns_ = std::clamp(int(std::sqrt(cells * aspect)), 1, 2048);
    rows_ = std::clamp(int(cells / columns_), 1, 8192);
    cell_width_ = bounds_.width() / columns_;
    cell_height_ = bounds_.height() / rows_;
    const auto range = [this](const QRectF& item) {
        return CellRange{std::clamp(int((item.left() - bounds_.left()) / cell_width_), 0, columns_ - 1),
                         std::clamp(int((item.top() - bounds_.top()) / cell_height_), 0, rows_ - 1),
                         std::clamp(int((item.right() - bounds_.left()) / cell_width_), 0, columns_ - 1),
                         std::clamp(int((item.bottom() - bounds_.top()) / cell_height_), 0, rows_ - 1)};
    };
    begin_.assign(size_t(columns_) * size_t(rows_) + 1, 0);
    const auto for_cells = [&](const QRectF& item, auto&& visit) {
        const CellRange r = range(item);
        for (int row = r.top; row <= r.bottom; ++row)
            for (int column = r.left; column <= r.right; ++column)
                visit(size_t(row) * size_t(columns_) + size_t(column));
    };
    const auto owner = [&owners](uint32_t item) { return owners.empty() ? item : owners[item]; };
    const auto is_large = [&range](const QRectF& item) {
        const CellRange r = range(item);
        return size_t(r.right - r.left + 1) * size_t(r.bottom - r.top + 1) > kMostCells;
    };
    for (uint32_t i = 0; i < items.size(); ++i) {
        if (is_large(items[i])) large_.push_back({items[i], owner(i)});
        else for_cells(items[i], [this](size_t cell) { ++begin_[cell + 1]; });
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    items_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < items.size(); ++i)
        if (!is_large(items[i])) for_cells(items[i], [&](size_t cell) { items_[next[cell]++] = owner(i); });
}

void SpatialIndex::query(const QRectF& area, std::vector<uint32_t>& found) const {
    found.clear();
    if (columns_ == 0) return;
    if (area.contains(bounds_)) {
        found.resize(owner_count_);
        std::iota(found.begin(), found.end(), 0u);
        return;
    }
    const QRectF part = area & bounds_;
    if (part.isEmpty()) return;
    const int left = std::clamp(int((part.left() - bounds_.left()) / cell_width_), 0, columns_ - 1);
    const int right = std::clamp(int((part.right() - bounds_.left()) / cell_width_), 0, columns_ - 1);
    const int top = std::clamp(int((part.top() - bounds_.top()) / cell_height_), 0, rows_ - 1);
    const int bottom = std::clamp(int((part.bottom() - bounds_.top()) / cell_height_), 0, rows_ - 1);
    for (int row = top; row <= bottom; ++row)
        for (int column = left; column <= right; ++column) {
            const size_t cell = size_t(row) * size_t(columns_) + size_t(column);
            found.insert(found.end(), items_.begin() + begin_[cell], items_.begin() + begin_[cell + 1]);
        }
    for (const auto& [box, item] : large_)
        if (box.intersects(area)) found.push_back(item);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

void GraphGeometry::rebuild_index() {
    node_index = SpatialIndex(nodes);
    std::vector<QRectF> boxes;
    std::vector<uint32_t> owners;
    for (uint32_t i = 0; i < edges.size(); ++i)
        for (size_t k = 3; k < edges[i].size(); k += 3) {
            boxes.push_back(box_of({edges[i].data() + k - 3, 4}));
            owners.push_back(i);
        }
    edge_index = SpatialIndex(boxes, std::move(owners), edges.size());
    bounds = QRectF();
    for (const auto* list : {&nodes, &clusters, &frames})
        for (const QRectF& box : *list) bounds |= box;
    for (const auto& [frame, box] : more_frames) bounds |= box;
}

QString GraphDecoration::backend_name(int index) const {
    return index >= 0 && index < backend_names.size() ? backend_names[index] : QStringLiteral("default");
}

LayoutGraph layout_graph(const GraphModel& model, const GraphDecoration& decoration, bool left_to_right) {
    LayoutGraph graph;
    graph.nodes.reserve(model.nodes.size());
    for (size_t i = 0; i < model.nodes.size(); ++i) {
        int32_t cluster = i < decoration.region.size() ? decoration.region[i] : -1;
        if (cluster < 0 && i < model.frame_of.size() && model.frame_of[i] >= 0)
            cluster = int32_t(decoration.regions.size()) + model.frame_of[i];
        const QSizeF size = left_to_right ? model.nodes[i].size.transposed() : model.nodes[i].size;
        graph.nodes.push_back({size.width(), size.height(), cluster});
    }
    graph.edges.reserve(model.edges.size());
    for (const GraphEdge& edge : model.edges) graph.edges.push_back({edge.from, edge.to});
    for (const RegionMark& region : decoration.regions) graph.clusters.push_back(region.label.toStdString());
    for (const GraphFrame& frame : model.frames) graph.clusters.push_back(frame.label.toStdString());
    for (const GraphBranch& branch : model.branches) {  // inner ones come first
        for (uint32_t node : branch.nodes)
            if (graph.nodes[node].cluster < 0) graph.nodes[node].cluster = int32_t(graph.clusters.size());
        graph.clusters.emplace_back("then");
    }
    return graph;
}

GraphGeometry geometry_of(const GraphModel& model, const LayoutResult& layout, size_t regions, bool left_to_right) {
    GraphGeometry geometry;
    geometry.left_to_right = left_to_right;
    const auto place = [left_to_right](double x, double y) { return left_to_right ? QPointF(y, x) : QPointF(x, y); };
    geometry.nodes.reserve(model.nodes.size());
    for (size_t i = 0; i < model.nodes.size(); ++i) {
        const QSizeF size = model.nodes[i].size;
        const QPointF centre = place(layout.nodes[i].x, layout.nodes[i].y);
        geometry.nodes.push_back(QRectF(centre - QPointF(size.width() / 2, size.height() / 2), size));
    }
    geometry.edges.resize(model.edges.size());
    for (size_t i = 0; i < model.edges.size(); ++i) {
        if (i < layout.edges.size() && layout.edges[i].size() >= 4) {
            for (const LayoutPoint& point : layout.edges[i]) geometry.edges[i].push_back(place(point.x, point.y));
        } else {
            geometry.edges[i] =
                straight_edge(geometry.nodes[model.edges[i].from], geometry.nodes[model.edges[i].to], left_to_right);
        }
    }
    for (size_t i = 0; i < layout.clusters.size(); ++i) {
        const LayoutBox& box = layout.clusters[i];
        QRectF placed(place(box.left, box.top), place(box.right, box.bottom));
        if (left_to_right && i >= regions) placed.setTop(placed.top() - kFrameLabel);
        (i < regions ? geometry.clusters : geometry.frames).push_back(placed);
    }
    for (const auto& [cluster, box] : layout.more_boxes)
        geometry.more_frames.push_back(
            {uint32_t(cluster - regions), QRectF(QPointF(box.left, box.top), QPointF(box.right, box.bottom))});
    geometry.rebuild_index();
    return geometry;
}

QPointF curve_point(const QPointF* points, double t) {
    const double s = 1 - t;
    return points[0] * (s * s * s) + points[1] * (3 * s * s * t) + points[2] * (3 * s * t * t) +
           points[3] * (t * t * t);
}

std::vector<QPointF> straight_edge(const QRectF& from, const QRectF& to, bool left_to_right) {
    if (left_to_right) {
        const QPointF start(from.right(), from.center().y()), end(to.left(), to.center().y());
        const QPointF bend(std::max(12.0, std::abs(end.x() - start.x()) / 2.5), 0);
        return {start, start + bend, end - bend, end};
    }
    const QPointF start(from.center().x(), from.bottom()), end(to.center().x(), to.top());
    const double bend = std::max(12.0, std::abs(end.y() - start.y()) / 2.5);
    return {start, start + QPointF(0, bend), end - QPointF(0, bend), end};
}

}  // namespace partita
