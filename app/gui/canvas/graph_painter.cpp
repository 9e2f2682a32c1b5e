#include "app/gui/canvas/graph_painter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace partita {

namespace {

// Scales below which details are left out, in device pixels for one unit.
constexpr double kTextScale = 0.42, kDetailScale = 0.6, kCurveScale = 0.22, kBoxScale = 0.12;

class GraphPainter {
public:
    GraphPainter(QPainter& painter, const GraphModel& model, const GraphGeometry& geometry,
                 const GraphDecoration& decoration, const PaintMarks& marks, const Theme& theme,
                 const PaintOptions& options)
        : painter_(painter), model_(model), geometry_(geometry), decoration_(decoration), marks_(marks), theme_(theme),
          options_(options) {
        title_font_.setPixelSize(13);
        title_font_.setBold(true);
        detail_font_.setPixelSize(11);
        badge_font_.setPixelSize(10);
        badge_font_.setBold(true);
        for (int backend = -1; backend < int(decoration.backend_names.size()); ++backend)
            backend_colours_.push_back(theme.backend_colours(backend));
    }

    void paint() {
        geometry_.node_index.query(options_.exposed.adjusted(-60, -60, 60, 60), nodes_);
        geometry_.edge_index.query(options_.exposed, edges_);
        paint_regions();
        paint_edges();
        if (options_.scale < kBoxScale)
            paint_dots();
        else
            for (uint32_t node : nodes_) paint_node(node);
        paint_region_labels();
    }

private:
    const BackendColours& colours(int backend) const {
        return backend_colours_[size_t(std::clamp<int>(backend + 1, 0, int(backend_colours_.size()) - 1))];
    }
    int backend_of(uint32_t node) const { return node < decoration_.backend.size() ? decoration_.backend[node] : -2; }
    bool selected(uint32_t node) const { return node < marks_.selected.size() && marks_.selected[node]; }
    int highlight(uint32_t node) const { return node < marks_.highlighted.size() ? marks_.highlighted[node] : 0; }
    double hair(double pixels) const { return pixels / options_.scale; }

    // Regions: a cluster's box where the layout knows the division, else the shape of the nodes themselves.
    void paint_regions() {
        painter_.setRenderHint(QPainter::Antialiasing, true);
        for (size_t i = 0; i < decoration_.regions.size(); ++i) {
            const RegionMark& region = decoration_.regions[i];
            const BackendColours& colour = colours(region.backend);
            const QColor fill = blend(colour.strong, theme_.canvas, theme_.dark ? 0.16 : 0.10);
            painter_.setPen(QPen(colour.strong, std::max(1.6, hair(1.2)), Qt::SolidLine));
            painter_.setBrush(fill);
            if (has_box(i)) {
                const QRectF box = geometry_.clusters[i];
                if (box.intersects(options_.exposed)) painter_.drawRoundedRect(box, 10, 10);
            } else {
                paint_region_shape(region);
            }
        }
    }

    bool has_box(size_t region) const {
        return !options_.stale_clusters && region < geometry_.clusters.size() && !geometry_.clusters[region].isEmpty();
    }

    void paint_region_shape(const RegionMark& region) {
        QPainterPath shape;
        shape.setFillRule(Qt::WindingFill);
        bool visible = false;
        for (uint32_t node : region.nodes) {
            const QRectF box = geometry_.nodes[node].adjusted(-9, -9, 9, 9);
            visible = visible || box.intersects(options_.exposed);
            shape.addRoundedRect(box, 10, 10);
        }
        if (!visible) return;
        painter_.drawPath(region.nodes.size() < 200 ? shape.simplified() : shape);
    }

    void paint_region_labels() {
        if (options_.stale_clusters) return;
        for (size_t i = 0; i < decoration_.regions.size(); ++i) {
            if (!has_box(i) || !geometry_.clusters[i].intersects(options_.exposed)) continue;
            const QRectF box = geometry_.clusters[i];
            if (decoration_.regions[i].label.isEmpty() || box.width() * options_.scale < 48) continue;
            const QFont font = label_font(decoration_.regions[i].label, box.width() - 28);
            const QFontMetricsF metrics(font);
            painter_.setFont(font);
            const QString text = metrics.elidedText(decoration_.regions[i].label, Qt::ElideRight, box.width() - 16);
            const QRectF pill(box.left() + 8, box.top() - metrics.height() / 2, metrics.horizontalAdvance(text) + 12,
                              metrics.height() + 1);
            const BackendColours& colour = colours(decoration_.regions[i].backend);
            painter_.setPen(Qt::NoPen);
            painter_.setBrush(colour.strong);
            painter_.drawRoundedRect(pill, pill.height() / 3, pill.height() / 3);
            painter_.setPen(colour.on_strong);
            painter_.drawText(pill, Qt::AlignCenter, text);
        }
    }

    /// A label stays readable when the picture gets small, as long as the region has room for it.
    QFont label_font(const QString& label, double room) const {
        QFont font = badge_font_;
        font.setPixelSize(11);
        const double width = std::max(1.0, QFontMetricsF(font).horizontalAdvance(label));
        const double wanted = std::min(11.0 / options_.scale, 11.0 * room / width);
        font.setPixelSize(int(std::clamp(wanted, 11.0, 40.0)));
        return font;
    }

    void paint_edges() {
        if (options_.scale < kCurveScale) return paint_edges_as_lines();
        painter_.setRenderHint(QPainter::Antialiasing, true);
        painter_.setBrush(Qt::NoBrush);
        for (uint32_t index : edges_) paint_edge(index);
    }

    /// Far away, one straight line for each edge, without smoothing: all in one call.
    void paint_edges_as_lines() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        QVector<QLineF> lines, refused;
        lines.reserve(int(edges_.size()));
        for (uint32_t index : edges_) {
            const std::vector<QPointF>& points = geometry_.edges[index];
            (is_refused(index) ? refused : lines).append(QLineF(points.front(), points.back()));
        }
        QPen pen(blend(theme_.edge, theme_.canvas, 0.6), 0);
        painter_.setPen(pen);
        painter_.drawLines(lines);
        pen.setColor(theme_.refused);
        painter_.setPen(pen);
        painter_.drawLines(refused);
    }

    bool is_refused(uint32_t edge) const { return edge < decoration_.refused_edge.size() && decoration_.refused_edge[edge]; }

    void paint_edge(uint32_t index) {
        const GraphEdge& edge = model_.edges[index];
        const std::vector<QPointF>& points = geometry_.edges[index];
        const bool near_selection = selected(edge.from) || selected(edge.to);
        const bool on_path = highlight(edge.from) && highlight(edge.to);
        QPen pen(theme_.edge, 1.2);
        if (near_selection) pen = QPen(theme_.selection, 2);
        if (on_path) pen = QPen(theme_.search_hit, 2.4);
        if (is_refused(index)) {
            pen = QPen(theme_.refused, 2.2);
            pen.setDashPattern({4, 3});
        }
        pen.setCapStyle(Qt::FlatCap);
        painter_.setPen(pen);
        QPainterPath path(points[0]);
        for (size_t i = 3; i < points.size(); i += 3) path.cubicTo(points[i - 2], points[i - 1], points[i]);
        painter_.drawPath(path);
        paint_arrow(points, pen.color());
        if (is_refused(index)) paint_refusal(path.pointAtPercent(0.5));
        if (options_.edge_types && options_.scale > kDetailScale) paint_edge_type(edge, path.pointAtPercent(0.5));
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

    /// Very far away: plain rectangles, batched by colour, no outline.
    void paint_dots() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        std::vector<std::pair<QRgb, QVector<QRectF>>> groups;
        for (uint32_t node : nodes_) {
            const QRgb colour = dot_colour(node).rgb();
            auto group = std::find_if(groups.begin(), groups.end(), [colour](auto& g) { return g.first == colour; });
            if (group == groups.end()) group = groups.insert(groups.end(), {colour, {}});
            group->second.append(geometry_.nodes[node]);
        }
        painter_.setPen(Qt::NoPen);
        for (const auto& [colour, boxes] : groups) {
            painter_.setBrush(QColor(colour));
            painter_.drawRects(boxes);
        }
    }

    QColor dot_colour(uint32_t node) const {
        if (selected(node)) return theme_.selection;
        if (node < decoration_.search_hit.size() && decoration_.search_hit[node]) return theme_.search_hit;
        if (!decoration_.heat.empty()) return node_fill(model_, decoration_, node, theme_);
        const int backend = backend_of(node);
        return backend < 0 ? blend(theme_.muted_text, theme_.canvas, 0.55) : colours(backend).strong;
    }

    void paint_node(uint32_t index) {
        const GraphNode& node = model_.nodes[index];
        const QRectF box = geometry_.nodes[index];
        const bool detailed = options_.scale >= kTextScale;
        painter_.setRenderHint(QPainter::Antialiasing, detailed);
        const double radius = corner(node);
        paint_rings(index, box, radius);
        const int backend = backend_of(index);
        QPen border(backend >= 0 ? colours(backend).strong : theme_.node_border, backend >= 0 ? 1.4 : 1.1);
        if (node.kind == GraphNodeKind::Parameter || node.kind == GraphNodeKind::Constant) border.setStyle(Qt::DashLine);
        if (!detailed) border.setWidthF(0);
        painter_.setPen(border);
        painter_.setBrush(node_fill(model_, decoration_, index, theme_));
        if (detailed) painter_.drawRoundedRect(box, radius, radius);
        else painter_.drawRect(box);
        if (!detailed) return paint_far_title(node, box);
        if (backend >= 0) paint_strip(box, radius, colours(backend).strong);
        paint_text(node, box, index);
        if (backend >= 0) paint_badge(index, box, decoration_.backend_name(backend), colours(backend));
        if (node.is_output) paint_output_mark(box);
    }

    static double corner(const GraphNode& node) {
        switch (node.kind) {
            case GraphNodeKind::Parameter:
            case GraphNodeKind::Constant: return node.size.height() / 2;
            case GraphNodeKind::Tuple:
            case GraphNodeKind::Projection: return 4;
            default: return 6;
        }
    }

    /// Rings round a node: search hit, step, selection, keyboard focus.
    void paint_rings(uint32_t index, const QRectF& box, double radius) {
        const auto ring = [&](const QColor& colour, double distance, double width, Qt::PenStyle style) {
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(colour, std::max(width, hair(width * 0.7)), style));
            painter_.drawRoundedRect(box.adjusted(-distance, -distance, distance, distance), radius + distance, radius + distance);
        };
        if (index < decoration_.search_hit.size() && decoration_.search_hit[index]) ring(theme_.search_hit, 4, 3, Qt::SolidLine);
        if (int level = highlight(index)) ring(theme_.search_hit, 5, level > 1 ? 4 : 2, Qt::SolidLine);
        if (selected(index)) ring(theme_.selection, 3, 3, Qt::SolidLine);
        if (int64_t(index) == marks_.current) ring(theme_.selection, 6.5, 1.2, Qt::DotLine);
        else if (int64_t(index) == marks_.hovered && !selected(index)) ring(theme_.selection, 2, 1.4, Qt::SolidLine);
    }

    void paint_strip(const QRectF& box, double radius, const QColor& colour) {
        QPainterPath path;
        path.addRoundedRect(box, radius, radius);
        painter_.save();
        painter_.setClipRect(QRectF(box.left(), box.top(), 5, box.height()), Qt::IntersectClip);
        painter_.fillPath(path, colour);
        painter_.restore();
    }

    QColor text_colour(uint32_t index) const {
        if (index < decoration_.heat.size() && decoration_.heat[index] >= 0)
            return readable_on(node_fill(model_, decoration_, index, theme_));
        return theme_.text;
    }

    void paint_far_title(const GraphNode& node, const QRectF& box) {
        if (options_.scale < kTextScale * 0.62) return;
        painter_.setRenderHint(QPainter::Antialiasing, true);
        QFont font = title_font_;
        font.setPixelSize(int(std::min(19.0, box.height() * 0.55)));
        painter_.setFont(font);
        painter_.setPen(theme_.text);
        painter_.drawText(box, Qt::AlignCenter,
                          QFontMetricsF(font).elidedText(node.title, Qt::ElideRight, box.width() - 6));
    }

    void paint_text(const GraphNode& node, const QRectF& box, uint32_t index) {
        const QColor colour = text_colour(index);
        const QRectF inner = box.adjusted(12, 0, -8, 0);
        painter_.setFont(title_font_);
        painter_.setPen(colour);
        const QFontMetricsF title_metrics(title_font_);
        const QString title = title_metrics.elidedText(node.title, Qt::ElideRight, inner.width());
        if (node.detail.isEmpty() && node.type.isEmpty()) {
            painter_.drawText(box, Qt::AlignCenter, title_metrics.elidedText(node.title, Qt::ElideRight, box.width() - 8));
            return;
        }
        painter_.drawText(QRectF(inner.left(), inner.top() + 5, inner.width(), 18), Qt::AlignVCenter | Qt::AlignLeft, title);
        if (options_.scale < kDetailScale) return;
        painter_.setFont(detail_font_);
        painter_.setPen(colour == theme_.text ? theme_.muted_text : colour);
        const QFontMetricsF metrics(detail_font_);
        double top = inner.top() + 25;
        for (const QString* line : {&node.detail, &node.type}) {
            if (line->isEmpty()) continue;
            painter_.drawText(QRectF(inner.left(), top, inner.width(), 14), Qt::AlignVCenter | Qt::AlignLeft,
                              metrics.elidedText(*line, Qt::ElideRight, inner.width()));
            top += 15;
        }
    }

    void paint_badge(uint32_t index, const QRectF& box, const QString& name, const BackendColours& colour) {
        painter_.setFont(badge_font_);
        const QFontMetricsF metrics(badge_font_);
        const bool by_hand = index < decoration_.overridden.size() && decoration_.overridden[index];
        const QString text = by_hand ? QStringLiteral("✎ ") + name : name;
        const double width = std::min(metrics.horizontalAdvance(text) + 10, box.width());
        // On the corner of a node with lines of text; beside a small one, whose name it would cover.
        const QRectF pill = box.height() < 30 ? QRectF(box.right() + 4, box.center().y() - 7, width, 14)
                                              : QRectF(box.right() - width + 5, box.top() - 7, width, 14);
        painter_.setPen(QPen(theme_.canvas, 1.5));
        painter_.setBrush(colour.strong);
        painter_.drawRoundedRect(pill, 7, 7);
        painter_.setPen(colour.on_strong);
        painter_.drawText(pill, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - 6));
    }

    /// A bar under the node whose value the function returns.
    void paint_output_mark(const QRectF& box) {
        painter_.setPen(QPen(theme_.text, 2));
        painter_.drawLine(QPointF(box.left() + 6, box.bottom() + 3.5), QPointF(box.right() - 6, box.bottom() + 3.5));
    }

    QPainter& painter_;
    const GraphModel& model_;
    const GraphGeometry& geometry_;
    const GraphDecoration& decoration_;
    const PaintMarks& marks_;
    const Theme& theme_;
    const PaintOptions& options_;
    QFont title_font_, detail_font_, badge_font_;
    std::vector<BackendColours> backend_colours_;
    std::vector<uint32_t> nodes_, edges_;
};

}  // namespace

void paint_graph(QPainter& painter, const GraphModel& model, const GraphGeometry& geometry,
                 const GraphDecoration& decoration, const PaintMarks& marks, const Theme& theme,
                 const PaintOptions& options) {
    GraphPainter(painter, model, geometry, decoration, marks, theme, options).paint();
}

QColor node_fill(const GraphModel& model, const GraphDecoration& decoration, uint32_t node, const Theme& theme) {
    if (node < decoration.heat.size())
        return decoration.heat[node] < 0 ? blend(theme.node, theme.canvas, 0.5) : theme.heat(decoration.heat[node]);
    const int backend = node < decoration.backend.size() ? decoration.backend[node] : -2;
    if (backend >= 0) return theme.backend_colours(backend).fill;
    const GraphNodeKind kind = model.nodes[node].kind;
    const bool is_input = kind == GraphNodeKind::Parameter || kind == GraphNodeKind::Constant;
    return is_input ? blend(theme.node, theme.canvas, 0.55) : theme.node;
}

}  // namespace partita
