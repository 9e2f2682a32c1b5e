#include "app/gui/canvas/edge_painter.h"

#include <cmath>

#include <QCoreApplication>
#include <QPainterPath>

namespace partita {

namespace {

constexpr double kCurveScale = 0.22;  ///< device pixels for one unit: below it edges are lines
// Smooth curves take some 10 us each in software: beyond this a frame gets its lines without them.
constexpr size_t kMostCurves = 500;
// Up to a pixel of width Qt draws them several times as fast: many edges are no wider.
constexpr size_t kMostWide = 100;
constexpr double kEdgeWidth = 1.2;
constexpr double kMostLinePixels = 2e6;  ///< of all lines together: some 15 ms
// Longer curves, in device pixels, are cut to what is seen: filling their outline would take seconds.
constexpr double kLongestCurve = 3000;

struct CubicCurve {
    QPointF a, b, c, d;

    QPointF at(double t) const {
        const double u = 1 - t;
        return a * (u * u * u) + b * (3 * u * u * t) + c * (3 * u * t * t) + d * (t * t * t);
    }
    QPointF slope(double t) const {
        const double u = 1 - t;
        return (b - a) * (3 * u * u) + (c - b) * (6 * u * t) + (d - c) * (3 * t * t);
    }
    /// The part between two parameters.
    CubicCurve part(double from, double to) const {
        const double third = (to - from) / 3;
        return {at(from), at(from) + slope(from) * third, at(to) - slope(to) * third, at(to)};
    }
    /// The same with rows and columns exchanged.
    CubicCurve turned() const { return {a.transposed(), b.transposed(), c.transposed(), d.transposed()}; }
    QRectF box() const {
        const auto [left, right] = std::minmax({a.x(), b.x(), c.x(), d.x()});
        const auto [top, bottom] = std::minmax({a.y(), b.y(), c.y(), d.y()});
        return QRectF(QPointF(left, top), QPointF(right, bottom));
    }
};

/// Where a curve that only goes down, or only up, passes a height: by halving.
double parameter_at(const CubicCurve& curve, double y) {
    double low = 0, high = 1;
    const bool down = curve.d.y() > curve.a.y();
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        ((curve.at(middle).y() < y) == down ? low : high) = middle;
    }
    return (low + high) / 2;
}

class EdgePainter : PaintScene {
public:
    EdgePainter(const PaintScene& scene, const std::vector<uint32_t>& edges) : PaintScene(scene), edges_(edges) {}

    void paint() {
        if (are_lines()) return paint_edges_as_lines();
        width_ =
            options_.is_frame && edges_.size() > kMostWide ? std::min(kEdgeWidth, 0.999 / options_.scale) : kEdgeWidth;
        paint_curves(false);
    }

    void paint_refused() {
        if (!are_lines()) paint_curves(true);
    }

    void paint_signs(const std::vector<QRectF>& labels) {
        if (are_lines()) return;
        painter_.setRenderHint(QPainter::Antialiasing, true);
        for (uint32_t index : edges_) {
            if (!is_refused(index)) continue;
            const QPainterPath path = visible_path(geometry_.edges[index]);
            if (!path.isEmpty()) paint_refusal(free_place(path, labels));
        }
    }

private:
    /// As near to the middle as the labels allow.
    static QPointF free_place(const QPainterPath& path, const std::vector<QRectF>& labels) {
        constexpr double kSign = 9;
        for (const double away : {0.0, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3}) {
            const QPointF place = path.pointAtPercent(0.5 + away);
            const QRectF sign(place - QPointF(kSign, kSign), QSizeF(2 * kSign, 2 * kSign));
            if (std::none_of(labels.begin(), labels.end(), [&](const QRectF& each) { return each.intersects(sign); }))
                return place;
        }
        return path.pointAtPercent(0.5);
    }

    bool are_lines() const {
        return options_.scale < kCurveScale || (options_.is_frame && edges_.size() > kMostCurves);
    }

    void paint_curves(bool refused) {
        painter_.setRenderHint(QPainter::Antialiasing, true);
        painter_.setBrush(Qt::NoBrush);
        for (uint32_t index : edges_)
            if (is_refused(index) == refused) paint_edge(index);
    }

    /// Far away, one straight line for each edge, without smoothing: all in one call.
    void paint_edges_as_lines() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        QVector<QLineF> lines, refused;
        lines.reserve(int(edges_.size()));
        const size_t step = line_step();
        for (size_t i = 0; i < edges_.size(); i += step) {
            const std::vector<QPointF>& points = geometry_.edges[edges_[i]];
            QVector<QLineF>& list = is_refused(edges_[i]) ? refused : lines;
            // Bends of what is near; a far line between its ends.
            if (options_.scale < kCurveScale) list.append(QLineF(points.front(), points.back()));
            else
                for (size_t k = 3; k < points.size(); k += 3) list.append(QLineF(points[k - 3], points[k]));
        }
        QPen pen(blend(theme_.edge, theme_.canvas, 0.6), 0);
        painter_.setPen(pen);
        painter_.drawLines(lines);
        pen.setColor(theme_.refused);
        painter_.setPen(pen);
        painter_.drawLines(refused);
    }

    /// Of how many edges one is painted. Where thousands cross the whole view, as those of an input that every operator
    /// uses, they are one mass to the eye, and it is their pixels that take the time.
    size_t line_step() const {
        const size_t step = std::max<size_t>(1, edges_.size() / options_.most_lines);
        const double across = std::hypot(options_.exposed.width(), options_.exposed.height());
        double length = 0;
        for (size_t i = 0; i < edges_.size(); i += step) {
            const std::vector<QPointF>& points = geometry_.edges[edges_[i]];
            length += std::min(across, QLineF(points.front(), points.back()).length());
        }
        return step * std::max<size_t>(1, size_t(std::ceil(length * options_.scale / kMostLinePixels)));
    }

    bool is_refused(uint32_t edge) const {
        return edge < decoration_.refused_edge.size() && decoration_.refused_edge[edge];
    }

    void paint_edge(uint32_t index) {
        const GraphEdge& edge = model_.edges[index];
        const std::vector<QPointF>& points = geometry_.edges[index];
        const bool leaves = selected(edge.from), enters = selected(edge.to);
        const bool on_path = highlight(edge.from) && highlight(edge.to);
        QPen pen(theme_.edge, options_.edge_widths ? width_of(edge.bytes) : width_);
        if (leaves || enters)
            pen = QPen(leaves && enters ? theme_.selection : enters ? theme_.incoming : theme_.outgoing, 2);
        if (on_path) pen = QPen(theme_.search_hit, 2.4);
        if (is_refused(index)) {
            pen = QPen(theme_.refused, 2.2);
            pen.setDashPattern({4, 3});
        }
        pen.setCapStyle(Qt::FlatCap);
        painter_.setPen(pen);
        const QPainterPath path = visible_path(points);
        painter_.drawPath(path);
        paint_arrow(points, pen.color());
        if (path.isEmpty()) return;
        paint_side(edge, points);
        if (options_.edge_types && options_.scale > kDetailScale) paint_edge_type(edge, path.pointAtPercent(0.5));
    }

    /// Beside the head of an edge that enters a condition, away from the other side's: which side of it that is.
    void paint_side(const GraphEdge& edge, const std::vector<QPointF>& points) {
        const bool condition = model_.nodes[edge.to].kind == GraphNodeKind::Control && !model_.branches.empty() &&
                               model_.module->kind(model_.nodes[edge.to].expr) == ExprKind::If;
        if (!condition || edge.argument == 0 || options_.scale < kDetailScale) return;
        const bool then = edge.argument == 1;
        const QString side =
            then ? QCoreApplication::translate("Canvas", "then") : QCoreApplication::translate("Canvas", "else");
        bool is_left = then;
        for (const uint32_t other : model_.incoming(edge.to))
            if (model_.edges[other].argument == 3 - edge.argument && !geometry_.edges[other].empty())
                is_left = points.back().x() < geometry_.edges[other].back().x();
        const double left = is_left ? -5 - QFontMetricsF(detail_font_).horizontalAdvance(side) : 5;
        painter_.setFont(detail_font_);
        painter_.setPen(theme_.muted_text);
        painter_.drawText(points.back() + QPointF(left, -6), side);
    }

    /// 1 KiB: 1, 1 MiB: 4.
    static double width_of(float bytes) {
        return std::clamp(1 + 0.3 * std::log2(std::max(1.0, double(bytes) / 1024)), 0.8, 8.0);
    }

    /// The curve without what is far outside: of an edge over thousands of layers little is seen.
    QPainterPath visible_path(const std::vector<QPointF>& points) const {
        const QRectF seen = options_.exposed.adjusted(-20, -20, 20, 20);
        QPainterPath path;
        bool joined = false;
        for (size_t i = 3; i < points.size(); i += 3) {
            CubicCurve curve{points[i - 3], points[i - 2], points[i - 1], points[i]};
            const QRectF box = curve.box();
            const bool across = geometry_.left_to_right;
            const bool outside = box.right() < seen.left() || box.left() > seen.right() || box.bottom() < seen.top() ||
                                 box.top() > seen.bottom();
            if (outside) {
                joined = false;
                continue;
            }
            if ((across ? box.width() : box.height()) * options_.scale > kLongestCurve) {
                double from = across ? parameter_at(curve.turned(), seen.left()) : parameter_at(curve, seen.top());
                double to = across ? parameter_at(curve.turned(), seen.right()) : parameter_at(curve, seen.bottom());
                if (from > to) std::swap(from, to);
                curve = curve.part(from, to);
                joined = false;
            }
            if (!joined) path.moveTo(curve.a);
            path.cubicTo(curve.b, curve.c, curve.d);
            joined = true;
        }
        return path;
    }

    void paint_arrow(const std::vector<QPointF>& points, const QColor& colour) {
        const QPointF tip = points.back();
        QPointF back = points[points.size() - 2];
        if (QLineF(tip, back).length() < 0.5) back = points.front();
        QLineF shaft(tip, back);
        if (shaft.length() < 0.5) return;
        shaft.setLength(7);
        const QPointF normal = QPointF(-shaft.dy(), shaft.dx()) * 0.42;
        const QPointF triangle[] = {tip, shaft.p2() + normal, shaft.p2() - normal};
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(colour);
        painter_.drawConvexPolygon(triangle, 3);
        painter_.setBrush(Qt::NoBrush);
    }

    /// The sign of a refused merge: a ring with a cross, so that it is not told by colour alone.
    void paint_refusal(const QPointF& place) {
        painter_.setBrush(theme_.canvas);
        painter_.setPen(QPen(theme_.refused, 2));
        painter_.drawEllipse(place, 7, 7);
        painter_.drawLine(place + QPointF(-3, -3), place + QPointF(3, 3));
        painter_.drawLine(place + QPointF(-3, 3), place + QPointF(3, -3));
        painter_.setBrush(Qt::NoBrush);
    }

    void paint_edge_type(const GraphEdge& edge, const QPointF& place) {
        const QString& text = model_.nodes[edge.from].type;
        if (text.isEmpty()) return;
        painter_.setFont(detail_font_);
        const QFontMetricsF metrics(detail_font_);
        const QRectF box(place.x() - metrics.horizontalAdvance(text) / 2 - 3, place.y() - metrics.height() / 2,
                         metrics.horizontalAdvance(text) + 6, metrics.height());
        painter_.fillRect(box, theme_.canvas);
        painter_.setPen(theme_.muted_text);
        painter_.drawText(box, Qt::AlignCenter, text);
    }

    const std::vector<uint32_t>& edges_;
    double width_ = kEdgeWidth;
};

}  // namespace

void paint_edges(const PaintScene& scene, const std::vector<uint32_t>& edges) { EdgePainter(scene, edges).paint(); }

void paint_refusals(const PaintScene& scene, const std::vector<uint32_t>& edges, const std::vector<QRectF>& labels) {
    EdgePainter(scene, edges).paint_signs(labels);
}

void paint_refused_edges(const PaintScene& scene, const std::vector<uint32_t>& edges) {
    EdgePainter(scene, edges).paint_refused();
}

}  // namespace partita
