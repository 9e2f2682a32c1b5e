#include "app/gui/canvas/node_painter.h"

#include <cmath>

#include "app/gui/canvas/graph_groups.h"
#include "engine/layout/free_corner.h"

namespace partita {

namespace {

// Scales below which texts are left out, in device pixels for one unit.
constexpr double kTextScale = 0.42, kDetailsGone = 0.54;
constexpr double kWidestNode = 235;  ///< graph_model.cpp's limit, less a rounding

class NodePainter : PaintScene {
public:
    NodePainter(const PaintScene& scene, const std::vector<uint32_t>& nodes)
        : PaintScene(scene), nodes_(nodes), title_rise_(rise_of(title_font_)), detail_rise_(rise_of(detail_font_)) {}

    void paint() {
        if (far()) return paint_dots();
        for (uint32_t node : nodes_) paint_node(node);
    }

private:
    /// From the middle of a line down to its base line.
    static double rise_of(const QFont& font) {
        const QFontMetricsF metrics(font);
        return metrics.ascent() - metrics.height() / 2;
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
        if (!decoration_.heat.empty() || has_tint(decoration_, node))
            return node_fill(model_, decoration_, node, theme_);
        const int backend = backend_of(node);
        return backend < 0 ? blend(theme_.muted_text, theme_.canvas, 0.55) : colours(backend).strong;
    }

    void paint_node(uint32_t index) {
        const GraphNode& node = model_.nodes[index];
        const QRectF box = geometry_.nodes[index];
        const bool detailed = options_.scale >= kTextScale;
        painter_.setRenderHint(QPainter::Antialiasing, detailed);
        const double radius = corner(node);
        const double stack = node.kind != GraphNodeKind::Group ? 0 : is_run(node) ? 9 : 3;
        paint_rings(index, box.adjusted(0, 0, stack, stack), radius);
        if (node.kind == GraphNodeKind::Group) paint_stack(box, radius, detailed, is_run(node));
        const int backend = backend_of(index);
        QPen border(backend >= 0 ? colours(backend).strong : theme_.node_border, backend >= 0 ? 1.4 : 1.1);
        if (node.kind == GraphNodeKind::Parameter || node.kind == GraphNodeKind::Constant)
            border.setStyle(Qt::DashLine);
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
        if (node.is_output) paint_output_mark(box);
        // What the rules left on default needs no word; what a person keeps there does.
        const bool kept = backend == -1 && by_hand(index) && node.kind != GraphNodeKind::Group;
        // A field goes where its tuple goes. Fields stand side by side: the badge of one would cover the next.
        const bool follows = node.kind == GraphNodeKind::Projection && !by_hand(index);
        if ((backend >= 0 && !follows) || kept) paint_badge(index, box, badge(backend), colours(backend));
        paint_diff_sign(index, box);
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
            painter_.drawRoundedRect(box.adjusted(-distance, -distance, distance, distance), radius + distance,
                                     radius + distance);
        };
        if (const DiffMark mark = diff_mark(index); mark != DiffMark::Same)
            ring(diff_colour(mark, theme_), 2.5, mark == DiffMark::Affected ? 1.6 : 3.6,
                 mark == DiffMark::Affected ? Qt::DotLine : Qt::SolidLine);
        if (index < decoration_.search_hit.size() && decoration_.search_hit[index])
            ring(theme_.search_hit, 4, 3, Qt::SolidLine);
        if (int level = highlight(index)) ring(theme_.search_hit, 5, level > 1 ? 4 : 2, Qt::SolidLine);
        if (selected(index)) ring(theme_.selection, 3, 3, Qt::SolidLine);
        if (int64_t(index) == marks_.current) ring(theme_.focus, 6.5, 1.2, Qt::DotLine);
        else if (int64_t(index) == marks_.hovered && !selected(index)) ring(theme_.focus, 2, 1.4, Qt::SolidLine);
    }

    /// The left edge of a box, in its backend's colour. A shape of its own: files of pictures know no clipping.
    void paint_strip(const QRectF& box, double radius, const QColor& colour) {
        constexpr double kWidth = 5;
        constexpr int kSteps = 6;
        const double end = std::acos(std::max(0.0, 1 - kWidth / radius));
        QPolygonF strip;
        const auto add = [&](double angle, double middle) {
            strip << QPointF(std::min(box.left() + radius * (1 - std::cos(angle)), box.left() + kWidth),
                             middle - radius * std::sin(angle));
        };
        for (int i = 0; i <= kSteps; ++i) add(end * (kSteps - i) / kSteps, box.top() + radius);
        for (int i = 0; i <= kSteps; ++i) add(-end * i / kSteps, box.bottom() - radius);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(colour);
        painter_.drawPolygon(strip);
    }

    bool is_run(const GraphNode& node) const {
        return model_.groups && node.group >= 0 && model_.groups->groups[size_t(node.group)].times > 1;
    }

    /// A group looks like a card on another, a run of blocks like a stack.
    void paint_stack(const QRectF& box, double radius, bool detailed, bool run) {
        painter_.setPen(QPen(theme_.node_border, detailed ? 1.1 : 0));
        painter_.setBrush(theme_.node);
        for (const double shift : {9.0, 6.0, 3.0}) {
            if (!run && shift > 3) continue;
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
            painter_.setBrush(share.backend < 0 ? blend(theme_.muted_text, theme_.node, 0.5)
                                                : colours(share.backend).strong);
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

    /// Whether it is filled with a colour that no text's colour was chosen for.
    bool is_coloured(uint32_t index) const {
        if (!decoration_.heat.empty()) return index < decoration_.heat.size() && decoration_.heat[index] >= 0;
        return has_tint(decoration_, index);
    }

    QColor text_colour(uint32_t index) const {
        return is_coloured(index) ? readable_on(node_fill(model_, decoration_, index, theme_)) : theme_.text;
    }

    /// Between too small to be read (0) and easily read (1).
    double details_shown() const {
        return std::clamp((options_.scale - kDetailsGone) / (kDetailScale - kDetailsGone), 0.0, 1.0);
    }

    void paint_far_title(const GraphNode& node, const QRectF& box, uint32_t index) {
        if (options_.scale < kTextScale * 0.62) return;
        painter_.setRenderHint(QPainter::Antialiasing, true);
        QFont font = title_font_;
        font.setPixelSize(int(std::min(19.0, box.height() * 0.55)));
        painter_.setFont(font);
        painter_.setPen(text_colour(index));
        painter_.drawText(box, Qt::AlignCenter,
                          QFontMetricsF(font).elidedText(node.title, end_to_leave_out(node), box.width() - 6));
    }

    /// Functions begin alike.
    static Qt::TextElideMode end_to_leave_out(const GraphNode& node) {
        return node.kind == GraphNodeKind::SubFunction ? Qt::ElideLeft : Qt::ElideRight;
    }

    void paint_text(const GraphNode& node, const QRectF& box, uint32_t index) {
        const QColor colour = text_colour(index);
        const QRectF inner = box.adjusted(12, 0, -8, 0);
        painter_.setFont(title_font_);
        painter_.setPen(colour);
        // A node is as wide as its text unless that is very long: to measure it again at each frame takes as long as to
        // draw it.
        const bool may_overflow = box.width() >= kWidestNode;
        const auto fitted = [&](const QFont& font, const QString& text, double room, Qt::TextElideMode mode) {
            return may_overflow ? QFontMetricsF(font).elidedText(text, mode, room) : text;
        };
        if (node.name.isEmpty() && node.detail.isEmpty() && node.type.isEmpty()) {
            painter_.drawText(box, Qt::AlignCenter | Qt::TextDontClip,
                              fitted(title_font_, node.title, box.width() - 8, end_to_leave_out(node)));
            return;
        }
        // On a base line: in a rectangle each text would be laid out anew, which takes half as long again. The lines
        // below are there or not, never pale; without them the title moves into the middle.
        const double lifted = details_shown();
        const double middle = lifted * (inner.top() + 14) + (1 - lifted) * inner.center().y();
        painter_.drawText(QPointF(inner.left(), middle + title_rise_),
                          fitted(title_font_, node.title, inner.width(), end_to_leave_out(node)));
        if (lifted < 1) return;
        QColor quiet = is_coloured(index) ? colour : colours(backend_of(index)).quiet;
        painter_.setFont(detail_font_);
        painter_.setPen(quiet);
        double top = middle + 11;
        for (const QString* line : {&node.name, &node.detail, &node.type}) {
            if (line->isEmpty()) continue;
            // Names differ at their end.
            const Qt::TextElideMode mode = line == &node.name ? Qt::ElideLeft : Qt::ElideRight;
            painter_.drawText(QPointF(inner.left(), top + 7 + detail_rise_),
                              fitted(detail_font_, *line, inner.width(), mode));
            top += 15;
        }
    }

    bool by_hand(uint32_t index) const {
        return index < decoration_.overridden.size() && decoration_.overridden[index];
    }

    void paint_badge(uint32_t index, const QRectF& box, const QString& name, const BackendColours& colour) {
        painter_.setFont(badge_font_);
        const QFontMetricsF metrics(badge_font_);
        const QString text = by_hand(index) ? QStringLiteral("✎ ") + name : name;
        const double width = std::min(metrics.horizontalAdvance(text) + 10, box.width());
        // Beside a small node, whose name it would cover.
        const QRectF pill = box.height() < 30 ? QRectF(box.right() + 4, box.center().y() - 7, width, 14)
                                              : free_place(index, box, width);
        painter_.setPen(QPen(theme_.canvas, 1.5));
        painter_.setBrush(colour.strong);
        painter_.drawRoundedRect(pill, 7, 7);
        painter_.setPen(colour.on_strong);
        painter_.drawText(pill, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - 6));
    }

    /// Where a badge hides no edge.
    QRectF free_place(uint32_t index, const QRectF& box, double width) const {
        constexpr size_t kMostEdges = 64;
        std::vector<EdgeEnd> ends;
        const auto add = [&](uint32_t edge, bool leaves) {
            const std::vector<QPointF>& points = geometry_.edges[edge];
            if (points.size() < 4) return;
            EdgeEnd& end = ends.emplace_back();
            const size_t first = leaves ? 0 : points.size() - 4;
            for (size_t i = 0; i < 4; ++i) end[i] = {points[first + i].x(), points[first + i].y()};
        };
        for (uint32_t edge : model_.outgoing(index).first(std::min(kMostEdges, model_.outgoing(index).size())))
            add(edge, true);
        for (uint32_t edge : model_.incoming(index).first(std::min(kMostEdges, model_.incoming(index).size())))
            add(edge, false);
        const double text = QFontMetricsF(title_font_).horizontalAdvance(model_.nodes[index].title);
        const LayoutBox place =
            free_corner({box.left(), box.top(), box.right(), box.bottom()}, width, 14, box.left() + 12 + text, ends);
        return QRectF(QPointF(place.left, place.top), QPointF(place.right, place.bottom));
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

    const std::vector<uint32_t>& nodes_;
    double title_rise_, detail_rise_;
};

}  // namespace

void paint_nodes(const PaintScene& scene, const std::vector<uint32_t>& nodes) { NodePainter(scene, nodes).paint(); }

}  // namespace partita
