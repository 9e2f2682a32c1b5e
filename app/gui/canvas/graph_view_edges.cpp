// The canvas: edges under the pointer, the edge that is chosen, and dragging either end of an edge to another node.
#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "app/gui/canvas/graph_view.h"

namespace partita {

namespace {

constexpr double kReach = 7;  ///< pixels from the line
constexpr int kSamples = 12;  ///< of each curve
constexpr double kSmallestZoomForEdges = 0.25;

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
    setCurrentEdge(current_edge_ < 0 || known == edges.end() || known + 1 == edges.end() ? edges.front()
                                                                                         : *(known + 1));
}

bool GraphView::pressEdge(const QPointF& position) {
    const int64_t edge = edges_editable_ ? edgeAt(position) : -1;
    setCurrentEdge(edge);
    if (edge < 0) return false;
    drag_ = input_finder_ && nearerToHead(uint32_t(edge), position) ? Drag::RewireHead : Drag::Rewire;
    setCursor(Qt::CrossCursor);
    return true;
}

void GraphView::releaseEdge(const QPointF& position) {
    const int64_t node = nodeAt(position);
    if (!moved_ || node < 0 || current_edge_ < 0) return;
    if (drag_ == Drag::Rewire) return emit edgeDropped(quint32(current_edge_), quint32(node));
    if (const std::optional<InputSlot> slot = slotUnder(position))
        emit edgeHeadDropped(quint32(current_edge_), quint32(node), slot->index);
}

/// The last third of an edge belongs to its head, the rest to its source.
bool GraphView::nearerToHead(uint32_t edge, const QPointF& position) const {
    const std::vector<QPointF>& curve = geometry_->edges[edge];
    if (curve.size() < 4) return false;
    const QPointF point = toGraph(position);
    return QLineF(point, curve.back()).length() * 2 < QLineF(point, curve.front()).length();
}

std::optional<InputSlot> GraphView::slotUnder(const QPointF& position) const {
    const int64_t node = nodeAt(position);
    if (node < 0 || current_edge_ < 0 || !input_finder_) return {};
    const QRectF& box = geometry_->nodes[size_t(node)];
    return input_finder_(quint32(current_edge_), quint32(node),
                         (toGraph(position).x() - box.left()) / std::max(1.0, box.width()));
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
    if (!moved_ || current_edge_ < 0) return;
    if (drag_ == Drag::Rewire) paintDraggedSource(painter);
    if (drag_ == Drag::RewireHead) paintDraggedHead(painter);
}

void GraphView::paintDraggedSource(QPainter& painter) const {
    const QRectF target = geometry_->nodes[model_->edges[size_t(current_edge_)].to];
    const int64_t over = nodeAt(last_position_);
    const QString obstacle =
        over >= 0 && source_obstacle_ ? source_obstacle_(quint32(current_edge_), quint32(over)) : QString();
    const QColor colour = obstacle.isEmpty() ? theme_.selection : theme_.refused;
    painter.setPen(QPen(colour, 2 / std::max(zoom_, 0.5), Qt::DashLine));
    painter.drawLine(over >= 0
                         ? QPointF(geometry_->nodes[size_t(over)].center().x(), geometry_->nodes[size_t(over)].bottom())
                         : toGraph(last_position_),
                     QPointF(target.center().x(), target.top()));
    if (over < 0) return;
    const QRectF box = geometry_->nodes[size_t(over)];
    painter.setPen(QPen(colour, 3 / std::max(zoom_, 0.5)));
    painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7);
    if (!obstacle.isEmpty())
        paintTag(painter, QPointF(toGraph(last_position_).x(), box.top()), QStringLiteral("✗ ") + obstacle, colour);
}

/// The head snaps to the input that would take it, whose name stands there; one that does not fit is named in the
/// colour of refusals and with a sign.
void GraphView::paintDraggedHead(QPainter& painter) const {
    const QRectF source = geometry_->nodes[model_->edges[size_t(current_edge_)].from];
    const int64_t over = nodeAt(last_position_);
    const std::optional<InputSlot> slot = slotUnder(last_position_);
    const QColor colour = slot && !slot->fits ? theme_.refused : theme_.selection;
    const QRectF box = over >= 0 ? geometry_->nodes[size_t(over)] : QRectF();
    const QPointF tip = slot ? QPointF(toGraph(last_position_).x(), box.top()) : toGraph(last_position_);
    painter.setPen(QPen(colour, 2 / std::max(zoom_, 0.5), Qt::DashLine));
    painter.drawLine(QPointF(source.center().x(), source.bottom()), tip);
    if (!slot) return;
    painter.setPen(QPen(colour, 3 / std::max(zoom_, 0.5)));
    painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7);
    paintTag(painter, tip, (slot->fits ? QStringLiteral("→ ") : QStringLiteral("✗ ")) + slot->label, colour);
}

/// Beside a point, as large on the screen as the window's text.
void GraphView::paintTag(QPainter& painter, const QPointF& tip, const QString& words, const QColor& colour) const {
    const QFontMetricsF metrics(font());
    const double scale = 1 / std::max(zoom_, 0.5);
    painter.save();
    painter.translate(tip);
    painter.scale(scale, scale);
    const QRectF tag(10, -metrics.height() - 12, metrics.horizontalAdvance(words) + 12, metrics.height() + 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(tag, 4, 4);
    painter.setPen(readable_on(colour));
    painter.setFont(font());
    painter.drawText(tag, Qt::AlignCenter, words);
    painter.restore();
}

}  // namespace partita
