#include "engine/exporters/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/layout/free_corner.h"

namespace partita {
namespace {

// The window's light theme.
constexpr const char *kInk = "#1b222b", *kMuted = "#5c6875", *kEdge = "#808b98", *kRefused = "#c4281b",
                     *kDataFill = "#fbfcfd", *kPaper = "#ffffff";
constexpr double kTitleLine = 24, kLegendLine = 18, kBadgeHeight = 14;
constexpr size_t kMostEdgesAtNode = 64;

LayoutBox box_of(const PictureNode& node) {
    return {node.place.x - node.width / 2, node.place.y - node.height / 2, node.place.x + node.width / 2,
            node.place.y + node.height / 2};
}

LayoutPoint centre_of(const LayoutBox& box) { return {(box.left + box.right) / 2, (box.top + box.bottom) / 2}; }

class PictureDrawer {
public:
    PictureDrawer(DrawingSurface& surface, const Picture& picture)
        : surface_(surface), picture_(picture), ends_(picture.nodes.size()) {}

    void draw() {
        find_ends();
        for (const PictureCluster& cluster : picture_.clusters) draw_region(cluster);
        for (const PictureEdge& edge : picture_.edges)
            if (!edge.refused) draw_edge(edge);
        for (size_t i = 0; i < picture_.nodes.size(); ++i) draw_node(i);
        for (const PictureEdge& edge : picture_.edges)  // seen whole
            if (edge.refused) draw_edge(edge);
        for (const PictureCluster& cluster : picture_.clusters) draw_region_label(cluster);
    }

private:
    /// Where edges touch nodes that have a badge.
    void find_ends() {
        for (const PictureEdge& edge : picture_.edges) {
            const size_t last = edge.points.size();
            if (last < 4) continue;
            const auto add = [&](uint32_t node, size_t first) {
                if (picture_.nodes[node].badge.empty() || ends_[node].size() >= kMostEdgesAtNode) return;
                ends_[node].push_back(
                    {edge.points[first], edge.points[first + 1], edge.points[first + 2], edge.points[first + 3]});
            };
            add(edge.from, 0);
            add(edge.to, last - 4);
        }
    }

    void draw_region(const PictureCluster& cluster) {
        if (cluster.box.right <= cluster.box.left) return;
        const PictureColour colour = picture_colour(cluster.backend);
        surface_.box(cluster.box, 10, colour.line, 0.10, {colour.line, 1.6});
    }

    void draw_region_label(const PictureCluster& cluster) {
        const LayoutBox& box = cluster.box;
        if (box.right <= box.left || cluster.label.empty()) return;
        const PictureColour colour = picture_colour(cluster.backend);
        const double room = box.right - box.left - 28;
        std::string label = cluster.label;
        if (text_width(label, kRegionText) > room)
            label.resize(std::min(label.size(), label.rfind(" · ")));  // its name alone
        label = shortened_to(label, kRegionText, room);
        const double width = text_width(label, kRegionText) + 12;
        // The layout leaves room for it.
        const LayoutBox pill{box.left + 6, box.top + 5, box.left + 6 + width, box.top + 21};
        surface_.box(pill, 5, colour.line, 1, {});
        surface_.text({centre_of(pill).x, centre_of(pill).y + 4}, TextAnchor::Middle, kRegionText, colour.on_line,
                      label);
    }

    void draw_edge(const PictureEdge& edge) {
        if (edge.points.size() < 4) return;
        const char* colour = edge.refused ? kRefused : kEdge;
        if (edge.refused) surface_.curve(edge.points, {colour, 2.2, 8.8, 6.6});
        else surface_.curve(edge.points, {colour, 1.2});
        const std::array<LayoutPoint, 2> corners = arrow_corners(edge);
        const LayoutPoint arrow[] = {edge.points.back(), corners[0], corners[1]};
        surface_.polygon(arrow, colour);
        if (edge.refused) draw_refusal(edge);
    }

    /// A ring with a cross, so that it is not told by colour alone.
    void draw_refusal(const PictureEdge& edge) {
        const size_t curves = edge.points.size() / 3, first = curves / 2 * 3;
        LayoutPoint at = edge.points[first];
        if (curves % 2 == 1) {  // the middle of one, not between two
            const auto& p = edge.points;
            at = {(p[first].x + 3 * p[first + 1].x + 3 * p[first + 2].x + p[first + 3].x) / 8,
                  (p[first].y + 3 * p[first + 1].y + 3 * p[first + 2].y + p[first + 3].y) / 8};
        }
        const LineStyle line{kRefused, 2};
        surface_.box({at.x - 7, at.y - 7, at.x + 7, at.y + 7}, 7, kPaper, 1, line);
        for (const double slope : {1.0, -1.0}) {
            const LayoutPoint stroke[] = {{at.x - 3, at.y - 3 * slope},
                                          {at.x - 1, at.y - slope},
                                          {at.x + 1, at.y + slope},
                                          {at.x + 3, at.y + 3 * slope}};
            surface_.curve(stroke, line);
        }
    }

    void draw_node(size_t index) {
        const PictureNode& node = picture_.nodes[index];
        const PictureColour colour = picture_colour(node.backend);
        const LayoutBox box = box_of(node);
        const double radius = node.is_data ? node.height / 2 : node.is_small ? 4 : 6;
        LineStyle border{colour.line, node.backend >= 0 ? 1.4 : 1.1};
        if (node.is_data) border.dash = 4.4, border.gap = 2.2;
        if (node.is_stack)
            for (const double behind : {6.0, 3.0})
                surface_.box({box.left + behind, box.top + behind, box.right + behind, box.bottom + behind}, radius,
                             colour.area, 1, border);
        surface_.box(box, radius, node.is_data ? kDataFill : colour.area, 1, border);
        if (!node.shares.empty()) draw_shares(node, box);
        if (node.backend >= 0) draw_strip(box, radius, colour.line);
        draw_texts(node, box, colour.quiet);
        if (node.is_output) {
            const double y = box.bottom + (node.is_stack ? 10 : 3.5), third = (box.right - box.left - 12) / 3;
            const LayoutPoint bar[] = {
                {box.left + 6, y}, {box.left + 6 + third, y}, {box.right - 6 - third, y}, {box.right - 6, y}};
            surface_.curve(bar, {kInk, 2});
        }
        if (!node.badge.empty()) draw_badge(index, box, colour);
    }

    /// How the operators of a group are divided among backends, as a bar at its bottom.
    void draw_shares(const PictureNode& node, const LayoutBox& box) {
        double all = 0, x = box.left + 12;
        for (const auto& [backend, count] : node.shares) all += count;
        const double each = (box.right - box.left - 24) / all;
        for (const auto& [backend, count] : node.shares) {
            const PictureColour colour = picture_colour(backend);
            surface_.box({x, box.bottom - 11, x + each * count, box.bottom - 5}, 0,
                         backend < 0 ? colour.area : colour.line, 1, {colour.line, 0.8});
            x += each * count;
        }
    }

    /// The left edge of a box, in its backend's colour.
    void draw_strip(const LayoutBox& box, double radius, const char* colour) {
        constexpr double kWidth = 5;
        constexpr int kSteps = 6;
        std::vector<LayoutPoint> shape;
        const auto add = [&](double angle, double middle_y) {
            const double x = std::min(box.left + radius * (1 - std::cos(angle)), box.left + kWidth);
            shape.push_back({x, middle_y - radius * std::sin(angle)});
        };
        const double end = std::acos(std::max(0.0, 1 - kWidth / radius));
        for (int i = 0; i <= kSteps; ++i) add(end * (kSteps - i) / kSteps, box.top + radius);
        for (int i = 0; i <= kSteps; ++i) add(-end * i / kSteps, box.bottom - radius);
        surface_.polygon(shape, colour);
    }

    void draw_texts(const PictureNode& node, const LayoutBox& box, const char* quiet) {
        if (node.attributes.empty() && node.type.empty()) {
            surface_.text({node.place.x, node.place.y + 4.6}, TextAnchor::Middle, kTitleText, kInk, node.name);
            return;
        }
        const double left = box.left + (node.is_data ? 14 : 12);
        surface_.text({left, box.top + 18.6}, TextAnchor::Left, kTitleText, kInk, node.name);
        double base_line = box.top + 36;
        for (const std::string* line : {&node.attributes, &node.type, &node.shared}) {
            if (line->empty()) continue;
            surface_.text({left, base_line}, TextAnchor::Left, kDetailText, quiet, *line);
            base_line += 15;
        }
    }

    void draw_badge(size_t index, const LayoutBox& box, const PictureColour& colour) {
        const PictureNode& node = picture_.nodes[index];
        const double width = text_width(node.badge, kBadgeText) + 10;
        // Beside a small node, whose name it would cover.
        LayoutBox pill = node.is_small ? LayoutBox{box.right + 4, node.place.y - kBadgeHeight / 2,
                                                   box.right + 4 + width, node.place.y + kBadgeHeight / 2}
                                       : free_corner(box, width, kBadgeHeight,
                                                     box.left + 12 + text_width(node.name, kTitleText), ends_[index]);
        // At the edge of the paper it would be cut.
        const double moved = std::max(0.0, 1 - kPictureMargin - pill.left) +
                             std::min(0.0, picture_.width + kPictureMargin - 1 - pill.right);
        pill.left += moved;
        pill.right += moved;
        surface_.box(pill, kBadgeHeight / 2, colour.line, 1, {kPaper, 1.5});
        surface_.text({centre_of(pill).x, centre_of(pill).y + 3.5}, TextAnchor::Middle, kBadgeText, colour.on_line,
                      node.badge);
    }

    DrawingSurface& surface_;
    const Picture& picture_;
    std::vector<std::vector<EdgeEnd>> ends_;  ///< by node
};

/// Calls each(entry, place) for each entry of the legend; returns how many lines they take.
template <class Each>
int lay_legend(const Picture& picture, double width, const Each& each) {
    constexpr double kSwatch = 16, kGap = 18;
    double x = 0;
    int line = 0;
    for (const PictureLegend& entry : picture.legend) {
        const double wide = kSwatch + text_width(entry.name, kDetailText);
        if (x > 0 && x + wide > width) x = 0, ++line;
        each(entry, LayoutPoint{x, line * kLegendLine});
        x += wide + kGap;
    }
    return picture.legend.empty() ? 0 : line + 1;
}

}  // namespace

PictureSheet sheet_of(const Picture& picture) {
    constexpr double kSmallest = 240;  // for the title
    const double width = std::max(picture.width, kSmallest), heading = heading_height(picture, width);
    PictureSheet sheet;
    sheet.width = width + 2 * kPictureMargin;
    sheet.height = heading + picture.height + 2 * kPictureMargin;
    sheet.heading = {kPictureMargin, kPictureMargin, sheet.width - kPictureMargin, kPictureMargin + heading};
    sheet.graph = {(sheet.width - picture.width) / 2, kPictureMargin + heading};
    return sheet;
}

double heading_height(const Picture& picture, double width) {
    return kTitleLine + kLegendLine * lay_legend(picture, width, [](const PictureLegend&, LayoutPoint) {});
}

double draw_legend(DrawingSurface& surface, const Picture& picture, LayoutPoint place, double width) {
    return kLegendLine * lay_legend(picture, width, [&](const PictureLegend& entry, LayoutPoint at) {
               const PictureColour colour = picture_colour(entry.backend);
               const double x = place.x + at.x, y = place.y + at.y;
               surface.box({x, y + 2, x + 11, y + 13}, 3, entry.backend < 0 ? colour.area : colour.line, 1,
                           {colour.line, 1});
               surface.text({x + 16, y + 11.5}, TextAnchor::Left, kDetailText, kInk, entry.name);
           });
}

void draw_heading(DrawingSurface& surface, const Picture& picture, const LayoutBox& box, const std::string& title,
                  const std::string& right) {
    const double width = box.right - box.left, room = width - text_width(right, kDetailText) - 12;
    surface.text({box.left, box.top + 13}, TextAnchor::Left, kTitleText, kInk,
                 shortened_to(clean_text(title), kTitleText, room));
    if (!right.empty()) surface.text({box.right, box.top + 13}, TextAnchor::Right, kDetailText, kMuted, right);
    draw_legend(surface, picture, {box.left, box.top + kTitleLine}, width);
}

void draw_picture(DrawingSurface& surface, const Picture& picture) { PictureDrawer(surface, picture).draw(); }

Picture empty_picture(Picture picture) {
    for (PictureNode& node : picture.nodes) {
        node.backend = -1;
        node.badge.clear();
    }
    for (PictureEdge& edge : picture.edges) edge.refused = false;
    picture.clusters.clear();
    picture.legend.clear();
    return picture;
}

}  // namespace partita
