#include "app/gui/canvas/graph_painter.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>
#include <QPainterPath>

#include "app/gui/canvas/edge_painter.h"
#include "app/gui/canvas/node_painter.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr double kSmallestRegion = 3;  ///< device pixels: of smaller ones the dots tell enough
constexpr size_t kMostBands = 1000;    ///< edges of a graph: in larger ones it is not looked for those inside regions
constexpr size_t kMostJoined = 24;     ///< nodes of a region: joining the outlines of more would cost the frame

class GraphPainter : PaintScene {
public:
    explicit GraphPainter(const PaintScene& scene) : PaintScene(scene) {}

    void paint() {
        find_visible();
        paint_frames();
        if (!far()) paint_branches();
        if (options_.regions) paint_regions();
        paint_edges(*this, edges_);
        paint_frame_labels();
        paint_nodes(*this, nodes_);
        paint_refused_edges(*this, edges_);  // seen whole, whatever is selected or has a badge
        if (options_.regions) paint_region_labels();
        paint_refusals(*this, edges_, labels_);
    }

private:
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

    // Regions: a cluster's box where the layout knows the division, else the shape of the nodes themselves. A large
    // graph has ten thousands: those out of sight must cost nothing.
    void paint_regions() {
        painter_.setRenderHint(QPainter::Antialiasing, !far());
        for (size_t i = 0; i < decoration_.regions.size(); ++i) {
            const RegionMark& region = decoration_.regions[i];
            const bool box = has_box(i);
            if (!(box ? shows_box(geometry_.clusters[i]) : !far() && shows_shape(region))) continue;
            const QColor colour = region.mark.isEmpty() ? colours(region.backend).strong : theme_.accent;
            painter_.setPen(QPen(colour, std::max(1.6, hair(1.2)), Qt::SolidLine));
            painter_.setBrush(blend(colour, theme_.canvas, theme_.dark ? 0.16 : 0.10));
            if (box) painter_.drawRoundedRect(geometry_.clusters[i], 10, 10);
            else paint_region_shape(region);
        }
    }

    bool shows_box(const QRectF& box) const {
        return box.intersects(options_.exposed) &&
               (!far() || std::max(box.width(), box.height()) * options_.scale >= kSmallestRegion);
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
        for (size_t i = 0; i < geometry_.frames.size(); ++i) paint_frame(geometry_.frames[i], model_.frames[i].label);
        for (const auto& [frame, box] : geometry_.more_frames)
            paint_frame(box, QStringLiteral("… ") + model_.frames[frame].label);
    }

    /// The walls of a condition or a body. Where others stand between them, each region in it has walls of its own, and
    /// so has the rest.
    void paint_branches() {
        constexpr QMarginsF kAroundFrame(6, 18, 6, 6);
        std::vector<QRectF> inner(model_.branches.size());  // the frames in each: those come first
        for (size_t i = 0; i < model_.branches.size(); ++i) {
            const GraphBranch& branch = model_.branches[i];
            const std::map<int32_t, QRectF> parts = boxes_of(branch);
            QRectF box = inner[i];
            for (const auto& [region, part] : parts) box |= part;
            if (branch.outer >= 0) inner[size_t(branch.outer)] |= box.marginsAdded(kAroundFrame);
            // The rim round an inner frame may touch what stands beside it.
            const QRectF core = inner[i].isNull() ? box : box.marginsRemoved(kAroundFrame);
            QString name = name_of_branch(branch.label);
            if (holds_only(core, branch)) {
                paint_frame(box, name);
                continue;
            }
            for (const auto& [region, part] : parts) {
                if (!holds_only(part, branch)) continue;
                paint_frame(part, name);
                name = QStringLiteral("… ") + name_of_branch(branch.label);
            }
        }
    }

    bool holds_only(const QRectF& box, const GraphBranch& branch) const {
        std::vector<uint32_t> found;
        geometry_.node_index.query(box, found);
        return std::none_of(found.begin(), found.end(), [&](uint32_t node) {
            return geometry_.nodes[node].intersects(box) && !is_of(branch, node) && !is_input_of(branch, node);
        });
    }

    /// By region; -1: those in none.
    std::map<int32_t, QRectF> boxes_of(const GraphBranch& branch) const {
        constexpr QMarginsF kMargins(8, 22, 8, 8), kRoundRegion(6, 18, 6, 6);  // with room for its name
        std::map<int32_t, QRectF> boxes;
        for (uint32_t node : branch.nodes) {
            const int32_t region = node < decoration_.region.size() ? decoration_.region[node] : -1;
            boxes[region] |= geometry_.nodes[node].marginsAdded(kMargins);
            if (region >= 0 && has_box(size_t(region)))
                boxes[region] |= geometry_.clusters[size_t(region)].marginsAdded(kRoundRegion);
        }
        return boxes;
    }

    static bool is_of(const GraphBranch& branch, uint32_t node) {
        return std::binary_search(branch.nodes.begin(), branch.nodes.end(), node);
    }

    /// Whether a branch alone uses a parameter or a constant.
    bool is_input_of(const GraphBranch& branch, uint32_t node) const {
        const std::span<const uint32_t> out = model_.outgoing(node);
        return model_.incoming(node).empty() &&
               std::all_of(out.begin(), out.end(), [&](uint32_t edge) { return is_of(branch, model_.edges[edge].to); });
    }

    static QString name_of_branch(const std::string& label) {
        if (label == "then") return QCoreApplication::translate("Canvas", "then");
        if (label == "else") return QCoreApplication::translate("Canvas", "else");
        return shown_name(label);
    }

    void paint_frame(const QRectF& box, const QString& label) {
        if (box.isEmpty() || box.width() * options_.scale < 4 || !box.intersects(options_.exposed)) return;
        painter_.setPen(QPen(theme_.node_border, std::max(1.0, hair(1)), Qt::DashLine));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRoundedRect(box, 12, 12);
        if (box.width() * options_.scale < 30) return;
        const QFont font = label_font(label, box.width() - 20);
        const QFontMetricsF metrics(font);
        // Above the nodes: a larger one goes beyond the frame.
        constexpr double kRoom = 18;
        const double width = std::min(metrics.horizontalAdvance(label), box.width() - 20);
        frame_labels_.push_back({QRectF(box.left() + 10, box.top() + kRoom - metrics.height(), width, metrics.height()),
                                 font, metrics.elidedText(label, Qt::ElideRight, width)});
    }

    /// Over the edges: in columns some pass through the head of a frame.
    void paint_frame_labels() {
        painter_.setPen(theme_.muted_text);
        for (const FrameLabel& label : frame_labels_) {
            painter_.fillRect(label.place.adjusted(-3, 1, 3, -1), theme_.canvas);
            painter_.setFont(label.font);
            painter_.drawText(label.place, Qt::AlignLeft | Qt::AlignVCenter, label.text);
        }
    }

    bool has_box(size_t region) const {
        return !options_.stale_clusters && region < geometry_.clusters.size() && !geometry_.clusters[region].isEmpty();
    }

    /// Bands along the edges inside join it: what was merged is one piece.
    void paint_region_shape(const RegionMark& region) {
        QPainterPath shape;
        shape.setFillRule(Qt::WindingFill);
        for (uint32_t node : region.nodes) shape.addRoundedRect(geometry_.nodes[node].adjusted(-9, -9, 9, 9), 10, 10);
        if (region.nodes.size() > 1 && region.nodes.size() <= kMostJoined && model_.edges.size() <= kMostBands) {
            QPainterPathStroker band;
            band.setWidth(20);
            for (size_t edge = 0; edge < model_.edges.size(); ++edge)
                if (is_inside(region, model_.edges[edge]) && geometry_.edges[edge].size() >= 4)
                    shape.addPath(band.createStroke(curve_of(geometry_.edges[edge])));
        }
        painter_.drawPath(region.nodes.size() < 200 ? shape.simplified() : shape);
    }

    static bool is_inside(const RegionMark& region, const GraphEdge& edge) {
        const auto has = [&](uint32_t node) {
            return std::find(region.nodes.begin(), region.nodes.end(), node) != region.nodes.end();
        };
        return has(edge.from) && has(edge.to);
    }

    static QPainterPath curve_of(const std::vector<QPointF>& points) {
        QPainterPath curve(points[0]);
        for (size_t i = 1; i + 2 < points.size(); i += 3) curve.cubicTo(points[i], points[i + 1], points[i + 2]);
        return curve;
    }

    void paint_region_labels() {
        for (size_t i = 0; i < decoration_.regions.size(); ++i)
            if (!decoration_.regions[i].mark.isEmpty()) paint_marks_of(decoration_.regions[i], has_box(i));
        if (options_.stale_clusters) return;
        for (size_t i = 0; i < decoration_.regions.size(); ++i) {
            if (!has_box(i) || !geometry_.clusters[i].intersects(options_.exposed)) continue;
            const QRectF box = geometry_.clusters[i];
            if (decoration_.regions[i].label.isEmpty() || box.width() * options_.scale < 48) continue;
            const QFont font = label_font(decoration_.regions[i].label, box.width() - 28);
            const QFontMetricsF metrics(font);
            painter_.setFont(font);
            QString label = decoration_.regions[i].label;
            if (metrics.horizontalAdvance(label) > box.width() - 16)
                label = label.section(QStringLiteral(" · "), 0, -2);  // its name alone
            const QString text = metrics.elidedText(label, Qt::ElideRight, box.width() - 16);
            const QRectF pill = place_label(box, QSizeF(metrics.horizontalAdvance(text) + 12, metrics.height() + 1));
            const BackendColours& colour = colours(decoration_.regions[i].backend);
            painter_.setPen(Qt::NoPen);
            painter_.setBrush(colour.strong);
            painter_.drawRoundedRect(pill, pill.height() / 3, pill.height() / 3);
            painter_.setPen(colour.on_strong);
            painter_.drawText(pill, Qt::AlignCenter, text);
            labels_.push_back(pill);
        }
    }

    /// At the left of the box's upper edge, or where fewer edges run beneath, as near to it as there is room: inside,
    /// where the layout leaves room for it; a larger one across the edge.
    QRectF place_label(const QRectF& box, const QSizeF& size) const {
        constexpr double kInset = 6, kRoom = 20;
        const bool inside = size.height() <= kRoom && !geometry_.left_to_right;
        const QRectF left(QPointF(box.left() + kInset, box.top() + (inside ? 5 : -size.height() / 2)), size);
        QRectF best = left;
        int fewest = edges_across(left);
        constexpr int kPlaces = 6;
        const double room = box.width() - 2 * kInset - size.width();
        for (int i = 1; i <= kPlaces && fewest > 0 && room > 0; ++i) {
            const QRectF next = left.translated(room * i / kPlaces, 0);
            if (const int crossed = edges_across(next); crossed < fewest) fewest = crossed, best = next;
        }
        return best;
    }

    int edges_across(const QRectF& label) const {
        constexpr size_t kMostFollowed =
            100;  // where more pass by, no place is free, and following them would cost the frame
        std::vector<uint32_t> found;
        geometry_.edge_index.query(label, found);
        if (found.size() > kMostFollowed) return int(found.size());
        return int(std::count_if(found.begin(), found.end(),
                                 [&](uint32_t edge) { return crosses(geometry_.edges[edge], label); }));
    }

    /// Whether a curve crosses the middle line of a rectangle.
    static bool crosses(const std::vector<QPointF>& curve, const QRectF& rect) {
        constexpr int kSamples = 8;
        const double middle = rect.center().y();
        for (size_t i = 0; i + 3 < curve.size(); i += 3) {
            QPointF last = curve[i];
            for (int sample = 1; sample <= kSamples; ++sample) {
                const QPointF next = curve_point(&curve[i], double(sample) / kSamples);
                if ((last.y() < middle) != (next.y() < middle)) {
                    const double x = last.x() + (next.x() - last.x()) * (middle - last.y()) / (next.y() - last.y());
                    if (x > rect.left() - 2 && x < rect.right() + 2) return true;
                }
                last = next;
            }
        }
        return false;
    }

    /// The sign of a marked region: at the corner of each of its nodes, or of the first where a box holds them
    /// together.
    void paint_marks_of(const RegionMark& region, bool once) {
        if (options_.scale < kBoxScale) return;
        QFont font = label_font(region.mark, 60);
        font.setBold(true);
        const QFontMetricsF metrics(font);
        const double height = metrics.height() + 2;
        painter_.setFont(font);
        for (uint32_t node : region.nodes) {
            const QPointF corner = geometry_.nodes[node].topLeft();
            const QRectF disc(corner.x() - height / 2 - 4, corner.y() - height / 2 - 4,
                              std::max(height, metrics.horizontalAdvance(region.mark) + 8), height);
            if (!disc.intersects(options_.exposed)) continue;
            painter_.setPen(QPen(theme_.canvas, 1.5));
            painter_.setBrush(theme_.accent);
            painter_.drawRoundedRect(disc, height / 2, height / 2);
            painter_.setPen(readable_on(theme_.accent));
            painter_.drawText(disc, Qt::AlignCenter, region.mark);
            if (once) break;
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

    struct FrameLabel {
        QRectF place;
        QFont font;
        QString text;
    };

    std::vector<uint32_t> nodes_, edges_;
    std::vector<FrameLabel> frame_labels_;
    std::vector<QRectF> labels_;  ///< of regions, as they were painted
};

}  // namespace

void paint_graph(QPainter& painter, const GraphModel& model, const GraphGeometry& geometry,
                 const GraphDecoration& decoration, const PaintMarks& marks, const Theme& theme,
                 const PaintOptions& options) {
    GraphPainter(PaintScene(painter, model, geometry, decoration, marks, theme, options)).paint();
}

QColor node_fill(const GraphModel& model, const GraphDecoration& decoration, uint32_t node, const Theme& theme) {
    if (node < decoration.heat.size())
        return decoration.heat[node] < 0 ? blend(theme.node, theme.canvas, 0.5) : theme.heat(decoration.heat[node]);
    if (has_tint(decoration, node)) return theme.tint(decoration.tint[node] - 1);
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
