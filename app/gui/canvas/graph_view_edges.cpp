// The canvas: edges under the pointer, the edge that is chosen, and dragging an edge to another source.
#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "app/gui/canvas/graph_view.h"

namespace partita {

namespace {

constexpr double kReach = 7;        ///< pixels from the line
constexpr int kSamples = 12;        ///< of each curve
constexpr double kSmallestZoomForEdges = 0.25;

QPointF curve_point(const QPointF* points, double t) {
    const double s = 1 - t;
    return points[0] * (s * s * s) + points[1] * (3 * s * s * t) + points[2] * (3 * s * t * t) + points[3] * (t * t * t);
}

double squared_distance(const QPointF& point, const QPointF& a, const QPointF& b) {
    const QPointF along = b - a, to = point - a;
    const double length = QPointF::dotProduct(along, along);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
    const QPointF away = to - along * t;
    return QPointF::dotProduct(away, away);
}

double squared_distance(const QPointF& point, const std::vector<QPointF>& curve) {
    double best = 1e30;
    for (size_t i = 0; i + 3 < curve.size(); i += 3) {
        QPointF last = curve[i];
        for (int step = 1; step <= kSamples; ++step) {
            const QPointF next = curve_point(&curve[i], double(step) / kSamples);
            best = std::min(best, squared_distance(point, last, next));
            last = next;
        }
    }
    return best;
}

}  // namespace

int64_t GraphView::edgeAt(const QPointF& position) const {
    if (!hasGraph() || zoom_ < kSmallestZoomForEdges || nodeAt(position) >= 0) return -1;
    const QPointF point = toGraph(position);
    const double reach = kReach / zoom_;
    std::vector<uint32_t> found;
    geometry_->edge_index.query(QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach), found);
    int64_t best = -1;
    double nearest = reach * reach;
    for (uint32_t edge : found) {
        const double distance = squared_distance(point, geometry_->edges[edge]);
        if (distance > nearest) continue;
        nearest = distance;
        best = edge;
    }
    return best;
}

QPointF GraphView::middleOfEdge(uint32_t edge) const {
    const std::vector<QPointF>& curve = geometry_->edges[edge];
    const size_t part = (curve.size() - 1) / 3 / 2 * 3;
    return curve.size() < 4 ? QPointF() : curve_point(&curve[part], 0.5);
}

void GraphView::setCurrentEdge(int64_t edge) {
    if (edge == current_edge_) return;
    current_edge_ = edge;
    update();
    emit currentEdgeChanged();
}

void GraphView::setEdgesEditable(bool editable) {
    edges_editable_ = editable;
    if (!editable) setCurrentEdge(-1);
}

void GraphView::chooseNextInputEdge() {
    if (!edges_editable_ || !hasGraph() || marks_.current < 0) return;
    const std::span<const uint32_t> edges = model_->incoming(uint32_t(marks_.current));
    if (edges.empty()) return;
    const auto known = std::find(edges.begin(), edges.end(), uint32_t(std::max<int64_t>(current_edge_, 0)));
    setCurrentEdge(current_edge_ < 0 || known == edges.end() || known + 1 == edges.end() ? edges.front() : *(known + 1));
}

bool GraphView::pressEdge(const QPointF& position) {
    const int64_t edge = edges_editable_ ? edgeAt(position) : -1;
    setCurrentEdge(edge);
    if (edge < 0) return false;
    drag_ = Drag::Rewire;
    setCursor(Qt::CrossCursor);
    return true;
}

void GraphView::releaseEdge(const QPointF& position) {
    const int64_t node = nodeAt(position);
    if (moved_ && node >= 0 && current_edge_ >= 0) emit edgeDropped(quint32(current_edge_), quint32(node));
}

void GraphView::hoverEdge(const QPointF& position) {
    const int64_t edge = edges_editable_ ? edgeAt(position) : -1;
    if (edge == hovered_edge_) return;
    hovered_edge_ = edge;
    update();
}

/// Over the graph, in its coordinates.
void GraphView::paintEdgeMarks(QPainter& painter) const {
    if (moving_) return;
    const auto stroke = [&](int64_t edge, double width) {
        if (edge < 0 || size_t(edge) >= geometry_->edges.size()) return;
        const std::vector<QPointF>& curve = geometry_->edges[size_t(edge)];
        if (curve.empty()) return;
        QPainterPath path(curve[0]);
        for (size_t i = 0; i + 3 < curve.size(); i += 3) path.cubicTo(curve[i + 1], curve[i + 2], curve[i + 3]);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.selection, width / std::max(zoom_, 0.5), Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(path);
    };
    if (hovered_edge_ != current_edge_) stroke(hovered_edge_, 2);
    stroke(current_edge_, 3);
    if (drag_ != Drag::Rewire || !moved_ || current_edge_ < 0) return;
    const QRectF target = geometry_->nodes[model_->edges[size_t(current_edge_)].to];
    const int64_t over = nodeAt(last_position_);
    painter.setPen(QPen(theme_.selection, 2 / std::max(zoom_, 0.5), Qt::DashLine));
    painter.drawLine(over >= 0 ? QPointF(geometry_->nodes[size_t(over)].center().x(), geometry_->nodes[size_t(over)].bottom())
                               : toGraph(last_position_),
                     QPointF(target.center().x(), target.top()));
    if (over < 0) return;
    painter.setPen(QPen(theme_.selection, 3 / std::max(zoom_, 0.5)));
    painter.drawRoundedRect(geometry_->nodes[size_t(over)].adjusted(-3, -3, 3, 3), 7, 7);
}

}  // namespace partita
