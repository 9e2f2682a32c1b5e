#include "app/gui/canvas/graph_painter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace partita {

namespace {

// Scales below which details are left out, in device pixels for one unit.
constexpr double kTextScale = 0.42, kDetailsGone = 0.48, kDetailScale = 0.6, kCurveScale = 0.22, kBoxScale = 0.12;
// Smooth curves take some 10 us each in software: beyond this a frame gets its lines without them.
constexpr size_t kMostCurves = 500;
constexpr double kMostLinePixels = 2e6;  ///< of all lines together: some 15 ms
constexpr double kWidestNode = 235;  ///< graph_model.cpp's limit, less a rounding
constexpr double kSmallestRegion = 3;  ///< device pixels: of smaller ones the dots tell enough
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
        title_rise_ = rise_of(title_font_);
        detail_rise_ = rise_of(detail_font_);
        for (int backend = -1; backend < int(decoration.backend_names.size()); ++backend)
            backend_colours_.push_back(theme.backend_colours(backend));
    }

    void paint() {
        find_visible();
        paint_frames();
        if (options_.regions) paint_regions();
        paint_edges();
        if (far())
            paint_dots();
        else
            for (uint32_t node : nodes_) paint_node(node);
        if (options_.regions) paint_region_labels();
    }

private:
    /// From the middle of a line down to its base line.
    static double rise_of(const QFont& font) {
        const QFontMetricsF metrics(font);
        return metrics.ascent() - metrics.height() / 2;
    }

    bool far() const { return options_.scale < kBoxScale; }

    /// What is to be painted. Where all of a large graph is in sight there is nothing to look up.
    void find_visible() {
        const auto every = [](size_t count, size_t most, std::vector<uint32_t>& list) {
            const size_t step = std::max<size_t>(1, count / std::max<size_t>(most, 1));
            list.reserve(count / step + 1);
            for (size_t i = 0; i < count; i += step) list.push_back(uint32_t(i));
        };
        if (far() && options_.exposed.contains(geometry_.bounds)) {
            every(geometry_.nodes.size(), options_.most_dots, nodes_);
            every(geometry_.edges.size(), options_.most_lines, edges_);
            return;
        }
        geometry_.node_index.query(options_.exposed.adjusted(-60, -60, 60, 60), nodes_);
        geometry_.edge_index.query(options_.exposed, edges_);
    }

    const BackendColours& colours(int backend) const {
        return backend_colours_[size_t(std::clamp<int>(backend + 1, 0, int(backend_colours_.size()) - 1))];
    }
    int backend_of(uint32_t node) const { return node < decoration_.backend.size() ? decoration_.backend[node] : -2; }
    bool selected(uint32_t node) const { return node < marks_.selected.size() && marks_.selected[node]; }
    int highlight(uint32_t node) const { return node < marks_.highlighted.size() ? marks_.highlighted[node] : 0; }
    double hair(double pixels) const { return pixels / options_.scale; }

    // Regions: a cluster's box where the layout knows the division, else the shape of the nodes themselves. A large graph
    // has ten thousands: those out of sight must cost nothing.
    void paint_regions() {
        painter_.setRenderHint(QPainter::Antialiasing, !far());
        for (size_t i = 0; i < decoration_.regions.size(); ++i) {
            const RegionMark& region = decoration_.regions[i];
            const bool box = has_box(i) && region.mark.isEmpty();
            if (!(box ? shows_box(geometry_.clusters[i]) : !far() && shows_shape(region))) continue;
            const QColor colour = region.mark.isEmpty() ? colours(region.backend).strong : theme_.accent;
            painter_.setPen(QPen(colour, std::max(1.6, hair(1.2)), Qt::SolidLine));
            painter_.setBrush(blend(colour, theme_.canvas, theme_.dark ? 0.16 : 0.10));
            if (box) painter_.drawRoundedRect(geometry_.clusters[i], 10, 10);
            else paint_region_shape(region);
        }
    }

    bool shows_box(const QRectF& box) const {
        return box.intersects(options_.exposed) && (!far() || std::max(box.width(), box.height()) * options_.scale >= kSmallestRegion);
    }
    bool shows_shape(const RegionMark& region) const {
        return std::any_of(region.nodes.begin(), region.nodes.end(), [this](uint32_t node) {
            return geometry_.nodes[node].adjusted(-9, -9, 9, 9).intersects(options_.exposed);
        });
    }

    /// Opened groups: a dashed frame with the group's name.
    void paint_frames() {
        if (geometry_.frames.size() != model_.frames.size()) return;
        painter_.setRenderHint(QPainter::Antialiasing, true);
        for (size_t i = 0; i < geometry_.frames.size(); ++i) {
            const QRectF box = geometry_.frames[i];
            if (box.isEmpty() || box.width() * options_.scale < 4 || !box.intersects(options_.exposed)) continue;
            painter_.setPen(QPen(theme_.node_border, std::max(1.0, hair(1)), Qt::DashLine));
            painter_.setBrush(Qt::NoBrush);
            painter_.drawRoundedRect(box, 12, 12);
            if (box.width() * options_.scale < 60) continue;
            painter_.setFont(label_font(model_.frames[i].label, box.width() - 20));
            painter_.setPen(theme_.muted_text);
            painter_.drawText(box.adjusted(10, 4, -10, 0), Qt::AlignLeft | Qt::AlignTop, model_.frames[i].label);
        }
    }

    bool has_box(size_t region) const {
        return !options_.stale_clusters && region < geometry_.clusters.size() && !geometry_.clusters[region].isEmpty();
    }

    void paint_region_shape(const RegionMark& region) {
        QPainterPath shape;
        shape.setFillRule(Qt::WindingFill);
        for (uint32_t node : region.nodes) shape.addRoundedRect(geometry_.nodes[node].adjusted(-9, -9, 9, 9), 10, 10);
        painter_.drawPath(region.nodes.size() < 200 ? shape.simplified() : shape);
    }

    void paint_region_labels() {
        for (const RegionMark& region : decoration_.regions)
            if (!region.mark.isEmpty()) paint_marks_of(region);
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

    /// The sign of a marked region, at the corner of each of its nodes.
    void paint_marks_of(const RegionMark& region) {
        if (options_.scale < kBoxScale) return;
        QFont font = label_font(region.mark, 60);
        font.setBold(true);
        const QFontMetricsF metrics(font);
        const double height = metrics.height() + 2;
        painter_.setFont(font);
        for (uint32_t node : region.nodes) {
            const QPointF corner = geometry_.nodes[node].topLeft();
            const QRectF disc(corner.x() - height / 2 - 4, corner.y() - height / 2 - 4, std::max(height, metrics.horizontalAdvance(region.mark) + 8), height);
            if (!disc.intersects(options_.exposed)) continue;
            painter_.setPen(QPen(theme_.canvas, 1.5));
            painter_.setBrush(theme_.accent);
            painter_.drawRoundedRect(disc, height / 2, height / 2);
            painter_.setPen(readable_on(theme_.accent));
            painter_.drawText(disc, Qt::AlignCenter, region.mark);
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
        if (options_.scale < kCurveScale || edges_.size() > kMostCurves) return paint_edges_as_lines();
        painter_.setRenderHint(QPainter::Antialiasing, true);
        painter_.setBrush(Qt::NoBrush);
        for (uint32_t index : edges_) paint_edge(index);
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

    bool is_refused(uint32_t edge) const { return edge < decoration_.refused_edge.size() && decoration_.refused_edge[edge]; }

    void paint_edge(uint32_t index) {
        const GraphEdge& edge = model_.edges[index];
        const std::vector<QPointF>& points = geometry_.edges[index];
        const bool near_selection = selected(edge.from) || selected(edge.to);
        const bool on_path = highlight(edge.from) && highlight(edge.to);
        QPen pen(theme_.edge, options_.edge_widths ? width_of(edge.bytes) : 1.2);
        if (near_selection) pen = QPen(theme_.selection, 2);
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
        if (is_refused(index)) paint_refusal(path.pointAtPercent(0.5));
        if (options_.edge_types && options_.scale > kDetailScale) paint_edge_type(edge, path.pointAtPercent(0.5));
    }

    /// 1 KiB: 1, 1 MiB: 4.
    static double width_of(float bytes) { return std::clamp(1 + 0.3 * std::log2(std::max(1.0, double(bytes) / 1024)), 0.8, 8.0); }

    /// The curve without what is far outside: of an edge over thousands of layers little is seen.
    QPainterPath visible_path(const std::vector<QPointF>& points) const {
        const QRectF seen = options_.exposed.adjusted(-20, -20, 20, 20);
        QPainterPath path;
        bool joined = false;
        for (size_t i = 3; i < points.size(); i += 3) {
            CubicCurve curve{points[i - 3], points[i - 2], points[i - 1], points[i]};
            const QRectF box = curve.box();
            const bool outside = box.right() < seen.left() || box.left() > seen.right() || box.bottom() < seen.top() || box.top() > seen.bottom();
            if (outside) {
                joined = false;
                continue;
            }
            if (box.height() * options_.scale > kLongestCurve) {
                double from = parameter_at(curve, seen.top()), to = parameter_at(curve, seen.bottom());
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

    /// Very far away: plain rectangles, batched by colour, no outline.
    void paint_dots() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        std::vector<std::pair<QRgb, QVector<QRectF>>> groups;
        const size_t step = std::max<size_t>(1, nodes_.size() / options_.most_dots);
        for (size_t i = 0; i < nodes_.size(); i += step) {
            const uint32_t node = nodes_[i];
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
        if (!decoration_.diff.empty()) {
            const DiffMark mark = diff_mark(node);
            return mark == DiffMark::Same ? blend(theme_.muted_text, theme_.canvas, 0.35) : diff_colour(mark, theme_);
        }
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
        if (node.kind == GraphNodeKind::Group) paint_stack(box, radius, detailed);
        const int backend = backend_of(index);
        QPen border(backend >= 0 ? colours(backend).strong : theme_.node_border, backend >= 0 ? 1.4 : 1.1);
        if (node.kind == GraphNodeKind::Parameter || node.kind == GraphNodeKind::Constant) border.setStyle(Qt::DashLine);
        if (!detailed) border.setWidthF(0);
        painter_.setPen(border);
        painter_.setBrush(node_fill(model_, decoration_, index, theme_));
        if (detailed) painter_.drawRoundedRect(box, radius, radius);
        else painter_.drawRect(box);
        if (!detailed) return paint_far_title(node, box, index);
        if (backend >= 0) paint_strip(box, radius, colours(backend).strong);
        const auto shares = decoration_.shares.constFind(index);
        if (shares != decoration_.shares.constEnd()) paint_shares(box, *shares);
        paint_text(node, box, index);
        if (backend >= 0) paint_badge(index, box, decoration_.backend_name(backend), colours(backend));
        paint_diff_sign(index, box);
        if (node.is_output) paint_output_mark(box);
        if (index < decoration_.bookmarked.size() && decoration_.bookmarked[index]) paint_bookmark(box);
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
        if (const DiffMark mark = diff_mark(index); mark != DiffMark::Same)
            ring(diff_colour(mark, theme_), 2.5, mark == DiffMark::Affected ? 1.6 : 3.6, mark == DiffMark::Affected ? Qt::DotLine : Qt::SolidLine);
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

    /// A group looks like a stack of cards.
    void paint_stack(const QRectF& box, double radius, bool detailed) {
        painter_.setPen(QPen(theme_.node_border, detailed ? 1.1 : 0));
        painter_.setBrush(theme_.node);
        for (const double shift : {6.0, 3.0}) {
            const QRectF card = box.translated(shift, shift);
            if (detailed) painter_.drawRoundedRect(card, radius, radius);
            else painter_.drawRect(card);
        }
    }

    /// What share of a group goes to which backend: a bar along its foot, with a name where there is room.
    void paint_shares(const QRectF& box, const std::vector<BackendShare>& shares) {
        double left = box.left() + 1;
        const double width = box.width() - 2;
        painter_.setPen(Qt::NoPen);
        for (const BackendShare& share : shares) {
            const QRectF bar(left, box.bottom() - 5, width * double(share.share), 4);
            painter_.setBrush(share.backend < 0 ? blend(theme_.muted_text, theme_.node, 0.5) : colours(share.backend).strong);
            painter_.drawRect(bar);
            left = bar.right();
        }
    }

    /// A ribbon at the upper left corner.
    void paint_bookmark(const QRectF& box) {
        const double x = box.left() + 8, y = box.top() - 5;
        const QPointF ribbon[] = {{x, y}, {x + 9, y}, {x + 9, y + 14}, {x + 4.5, y + 10}, {x, y + 14}};
        painter_.setPen(QPen(theme_.canvas, 1));
        painter_.setBrush(theme_.accent);
        painter_.drawPolygon(ribbon, 5);
    }

    bool has_heat(uint32_t index) const { return index < decoration_.heat.size() && decoration_.heat[index] >= 0; }

    QColor text_colour(uint32_t index) const {
        return has_heat(index) ? readable_on(node_fill(model_, decoration_, index, theme_)) : theme_.text;
    }

    /// Between too small to be read (0) and easily read (1).
    double details_shown() const { return std::clamp((options_.scale - kDetailsGone) / (kDetailScale - kDetailsGone), 0.0, 1.0); }

    void paint_far_title(const GraphNode& node, const QRectF& box, uint32_t index) {
        if (options_.scale < kTextScale * 0.62) return;
        painter_.setRenderHint(QPainter::Antialiasing, true);
        QFont font = title_font_;
        font.setPixelSize(int(std::min(19.0, box.height() * 0.55)));
        painter_.setFont(font);
        painter_.setPen(text_colour(index));
        painter_.drawText(box, Qt::AlignCenter,
                          QFontMetricsF(font).elidedText(node.title, Qt::ElideRight, box.width() - 6));
    }

    void paint_text(const GraphNode& node, const QRectF& box, uint32_t index) {
        const QColor colour = text_colour(index);
        const QRectF inner = box.adjusted(12, 0, -8, 0);
        painter_.setFont(title_font_);
        painter_.setPen(colour);
        // A node is as wide as its text unless that is very long: to measure it again at each frame takes as long as to
        // draw it.
        const bool may_overflow = box.width() >= kWidestNode;
        const auto fitted = [&](const QFont& font, const QString& text, double room) {
            return may_overflow ? QFontMetricsF(font).elidedText(text, Qt::ElideRight, room) : text;
        };
        if (node.detail.isEmpty() && node.type.isEmpty()) {
            painter_.drawText(box, Qt::AlignCenter | Qt::TextDontClip, fitted(title_font_, node.title, box.width() - 8));
            return;
        }
        // On a base line: in a rectangle each text would be laid out anew, which takes half as long again. As the lines
        // below fade, the title moves into the middle.
        const double shown = details_shown();
        const double middle = shown * (inner.top() + 14) + (1 - shown) * inner.center().y();
        painter_.drawText(QPointF(inner.left(), middle + title_rise_), fitted(title_font_, node.title, inner.width()));
        if (shown <= 0) return;
        QColor quiet = has_heat(index) ? colour : colours(backend_of(index)).quiet;
        quiet.setAlphaF(float(shown));
        painter_.setFont(detail_font_);
        painter_.setPen(quiet);
        double top = middle + 11;
        for (const QString* line : {&node.detail, &node.type}) {
            if (line->isEmpty()) continue;
            painter_.drawText(QPointF(inner.left(), top + 7 + detail_rise_), fitted(detail_font_, *line, inner.width()));
            top += 15;
        }
    }

    void paint_badge(uint32_t index, const QRectF& box, const QString& name, const BackendColours& colour) {
        painter_.setFont(badge_font_);
        const QFontMetricsF metrics(badge_font_);
        const bool by_hand = index < decoration_.overridden.size() && decoration_.overridden[index];
        const QString text = by_hand ? QStringLiteral("✎ ") + name : name;
        const double width = std::min(metrics.horizontalAdvance(text) + 10, box.width());
        // On the corner of a node with lines of text, clear of the arrows that come in at the middle; beside a small one,
        // whose name it would cover.
        const QRectF pill = box.height() < 30 ? QRectF(box.right() + 4, box.center().y() - 7, width, 14)
                                              : QRectF(std::max(box.right() - width + 5, box.center().x() + 8), box.top() - 7, width, 14);
        painter_.setPen(QPen(theme_.canvas, 1.5));
        painter_.setBrush(colour.strong);
        painter_.drawRoundedRect(pill, 7, 7);
        painter_.setPen(colour.on_strong);
        painter_.drawText(pill, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - 6));
    }

    DiffMark diff_mark(uint32_t index) const {
        return index < decoration_.diff.size() ? decoration_.diff[index] : DiffMark::Same;
    }

    void paint_diff_sign(uint32_t index, const QRectF& box) {
        const DiffMark mark = diff_mark(index);
        if (mark == DiffMark::Same || mark == DiffMark::Affected) return;
        const QRectF disc(box.left() - 9, box.top() - 9, 17, 17);
        const QColor colour = diff_colour(mark, theme_);
        painter_.setPen(QPen(theme_.canvas, 1.5));
        painter_.setBrush(colour);
        painter_.drawEllipse(disc);
        painter_.setFont(title_font_);
        painter_.setPen(readable_on(colour));
        painter_.drawText(disc, Qt::AlignCenter, diff_sign(mark));
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
    double title_rise_ = 0, detail_rise_ = 0;
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

QColor diff_colour(DiffMark mark, const Theme& theme) {
    // Bluish green, vermilion and blue of Okabe and Ito, lighter on dark ground.
    switch (mark) {
        case DiffMark::Added: return theme.dark ? QColor(0x2f, 0xc4, 0x9a) : QColor(0x00, 0x8a, 0x65);
        case DiffMark::Removed: return theme.dark ? QColor(0xff, 0x8a, 0x4a) : QColor(0xc4, 0x50, 0x00);
        case DiffMark::Changed: return theme.dark ? QColor(0x6c, 0xb6, 0xff) : QColor(0x00, 0x66, 0xb3);
        case DiffMark::Affected: return theme.muted_text;
        case DiffMark::Same: break;
    }
    return theme.text;
}

QString diff_sign(DiffMark mark) {
    switch (mark) {
        case DiffMark::Added: return QStringLiteral("+");
        case DiffMark::Removed: return QStringLiteral("−");
        case DiffMark::Changed: return QStringLiteral("~");
        case DiffMark::Affected: return QStringLiteral("t");
        case DiffMark::Same: break;
    }
    return {};
}

}  // namespace partita
