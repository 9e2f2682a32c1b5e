#include "app/gui/canvas/edge_drag.h"

#include <algorithm>
#include <utility>

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

int64_t EdgeDrag::edgeAt(const QPointF& position) const {
    if (!view_.hasGraph() || view_.zoom() < kSmallestZoomForEdges || view_.nodeAt(position) >= 0) return -1;
    const QPointF point = view_.toGraph(position);
    const double reach = kReach / view_.zoom();
    std::vector<uint32_t> found;
    view_.geometry().edge_index.query(QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach), found);
    int64_t best = -1;
    double nearest = reach * reach;
    for (uint32_t edge : found) {
        const double distance = squared_distance(point, view_.geometry().edges[edge]);
        if (distance > nearest) continue;
        nearest = distance;
        best = edge;
    }
    return best;
}

void EdgeDrag::choose(int64_t edge) {
    if (edge == chosen_) return;
    chosen_ = edge;
    view_.update();
    emit view_.currentEdgeChanged();
}

void EdgeDrag::setEditable(bool editable) {
    editable_ = editable;
    if (!editable) choose(-1);
}

void EdgeDrag::forget() {
    hovered_ = -1;
    choose(-1);
}

void EdgeDrag::chooseNextInput(uint32_t node) {
    if (!editable_) return;
    const std::span<const uint32_t> edges = view_.model()->incoming(node);
    if (edges.empty()) return;
    const auto known = std::find(edges.begin(), edges.end(), uint32_t(std::max<int64_t>(chosen_, 0)));
    choose(chosen_ < 0 || known == edges.end() || known + 1 == edges.end() ? edges.front() : *(known + 1));
}

bool EdgeDrag::press(const QPointF& position) {
    choose(editable_ ? edgeAt(position) : -1);
    if (chosen_ < 0) return false;
    end_ = input_finder_ && nearerToHead(uint32_t(chosen_), position) ? End::Head : End::Source;
    dragged_to_.reset();
    view_.setCursor(Qt::CrossCursor);
    return true;
}

void EdgeDrag::release(const QPointF& position) {
    const End end = std::exchange(end_, End::None);
    const int64_t node = view_.nodeAt(position);
    if (!std::exchange(dragged_to_, std::nullopt) || node < 0 || chosen_ < 0) return;
    if (end == End::Source) return emit view_.edgeDropped(quint32(chosen_), quint32(node));
    if (const std::optional<InputSlot> slot = slotUnder(position))
        emit view_.edgeHeadDropped(quint32(chosen_), quint32(node), slot->index);
}

/// The last third of an edge belongs to its head, the rest to its source.
bool EdgeDrag::nearerToHead(uint32_t edge, const QPointF& position) const {
    const std::vector<QPointF>& curve = view_.geometry().edges[edge];
    if (curve.size() < 4) return false;
    const QPointF point = view_.toGraph(position);
    return QLineF(point, curve.back()).length() * 2 < QLineF(point, curve.front()).length();
}

std::optional<InputSlot> EdgeDrag::slotUnder(const QPointF& position) const {
    const int64_t node = view_.nodeAt(position);
    if (node < 0 || chosen_ < 0 || !input_finder_) return {};
    const QRectF& box = view_.geometry().nodes[size_t(node)];
    return input_finder_(quint32(chosen_), quint32(node),
                         (view_.toGraph(position).x() - box.left()) / std::max(1.0, box.width()));
}

void EdgeDrag::hover(const QPointF& position) {
    const int64_t edge = editable_ ? edgeAt(position) : -1;
    if (edge == hovered_) return;
    hovered_ = edge;
    view_.update();
}

double EdgeDrag::thin(double width) const { return width / std::max(view_.zoom(), 0.5); }

void EdgeDrag::paintEdge(QPainter& painter, int64_t edge, double width) const {
    if (edge < 0 || size_t(edge) >= view_.geometry().edges.size()) return;
    const std::vector<QPointF>& curve = view_.geometry().edges[size_t(edge)];
    if (curve.empty()) return;
    QPainterPath path(curve[0]);
    for (size_t i = 0; i + 3 < curve.size(); i += 3) path.cubicTo(curve[i + 1], curve[i + 2], curve[i + 3]);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(view_.theme().selection, thin(width), Qt::SolidLine, Qt::RoundCap));
    painter.drawPath(path);
}

void EdgeDrag::paint(QPainter& painter) const {
    if (hovered_ != chosen_) paintEdge(painter, hovered_, 2);
    paintEdge(painter, chosen_, 3);
    if (!dragged_to_ || chosen_ < 0) return;
    if (end_ == End::Source) paintDraggedSource(painter, *dragged_to_);
    if (end_ == End::Head) paintDraggedHead(painter, *dragged_to_);
}

void EdgeDrag::paintDraggedSource(QPainter& painter, const QPointF& to) const {
    const QRectF target = view_.geometry().nodes[view_.model()->edges[size_t(chosen_)].to];
    const int64_t over = view_.nodeAt(to);
    const QString obstacle =
        over >= 0 && source_obstacle_ ? source_obstacle_(quint32(chosen_), quint32(over)) : QString();
    const QColor colour = obstacle.isEmpty() ? view_.theme().selection : view_.theme().refused;
    painter.setPen(QPen(colour, thin(2), Qt::DashLine));
    painter.drawLine(over >= 0 ? QPointF(view_.geometry().nodes[size_t(over)].center().x(),
                                         view_.geometry().nodes[size_t(over)].bottom())
                               : view_.toGraph(to),
                     QPointF(target.center().x(), target.top()));
    if (over < 0) return;
    const QRectF box = view_.geometry().nodes[size_t(over)];
    painter.setPen(QPen(colour, thin(3)));
    painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7);
    if (!obstacle.isEmpty())
        paintTag(painter, QPointF(view_.toGraph(to).x(), box.top()), QStringLiteral("✗ ") + obstacle, colour);
}

/// The head snaps to the input that would take it, whose name stands there; one that does not fit is named in the
/// colour of refusals and with a sign.
void EdgeDrag::paintDraggedHead(QPainter& painter, const QPointF& to) const {
    const QRectF source = view_.geometry().nodes[view_.model()->edges[size_t(chosen_)].from];
    const int64_t over = view_.nodeAt(to);
    const std::optional<InputSlot> slot = slotUnder(to);
    const QColor colour = slot && !slot->fits ? view_.theme().refused : view_.theme().selection;
    const QRectF box = over >= 0 ? view_.geometry().nodes[size_t(over)] : QRectF();
    const QPointF tip = slot ? QPointF(view_.toGraph(to).x(), box.top()) : view_.toGraph(to);
    painter.setPen(QPen(colour, thin(2), Qt::DashLine));
    painter.drawLine(QPointF(source.center().x(), source.bottom()), tip);
    if (!slot) return;
    painter.setPen(QPen(colour, thin(3)));
    painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7);
    paintTag(painter, tip, (slot->fits ? QStringLiteral("→ ") : QStringLiteral("✗ ")) + slot->label, colour);
}

/// Beside a point, as large on the screen as the window's text.
void EdgeDrag::paintTag(QPainter& painter, const QPointF& tip, const QString& words, const QColor& colour) const {
    const QFontMetricsF metrics(view_.font());
    const double scale = thin(1);
    painter.save();
    painter.translate(tip);
    painter.scale(scale, scale);
    const QRectF tag(10, -metrics.height() - 12, metrics.horizontalAdvance(words) + 12, metrics.height() + 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(tag, 4, 4);
    painter.setPen(readable_on(colour));
    painter.setFont(view_.font());
    painter.drawText(tag, Qt::AlignCenter, words);
    painter.restore();
}

}  // namespace partita
