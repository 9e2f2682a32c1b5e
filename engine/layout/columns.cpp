#include "engine/layout/columns.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace partita {
namespace {

constexpr double kBetweenColumns = 44, kBesideRows = 12, kBetweenLines = 5;
constexpr double kBoxMargin = 10, kBoxHead = 26;  ///< of a cluster that is cut: round its nodes, and above them
constexpr int kMostCrossing = 3;
constexpr size_t kMostColumns = 8, kMostLines = 12;
constexpr uint32_t kMany = 6;  ///< users of a value, or values that a node takes
constexpr double kGain = 1.25;

/// A place between two rows where a picture may be cut.
struct Cut {
    double y = 0;
    int crossing = 0;  ///< values
};

struct Column {
    double top = 0, bottom = 0, left = 0, right = 0;  ///< of the picture as it was
    double shift = 0;                                 ///< to the right
};

class ColumnMaker {
public:
    ColumnMaker(const LayoutGraph& graph, LayoutResult& layout, size_t whole)
        : graph_(graph), layout_(layout), whole_(std::min(whole, layout.clusters.size())) {}

    bool run(double width, double height, double readable) {
        const double whole = std::min(width / layout_.width, height / layout_.height);
        if (whole >= readable || layout_.nodes.size() < 4) return false;
        find_cuts();
        std::vector<Column> best = best_columns(width, height, whole);
        if (best.empty()) {  // what many layers share, and what leaves each for the end, passes every row
            leave_out_long_values();
            best = best_columns(width, height, whole);
        }
        if (best.empty()) return false;
        place(best);
        return true;
    }

private:
    std::vector<Column> best_columns(double width, double height, double whole) {
        std::vector<Column> best;
        double largest = whole * kGain;
        for (size_t count = 2; count <= kMostColumns; ++count) {
            std::vector<Column> columns = divide(count);
            if (columns.size() < 2) continue;
            const double scale = scale_of(columns, width, height);
            if (scale <= largest) continue;
            largest = scale;
            best = std::move(columns);
        }
        return best;
    }

    bool is_cut(int32_t cluster) const { return cluster >= 0 && size_t(cluster) >= whole_; }

    LayoutBox box_of(size_t node) const {
        const LayoutPoint& middle = layout_.nodes[node];
        const double x = graph_.nodes[node].width / 2, y = graph_.nodes[node].height / 2;
        return {middle.x - x, middle.y - y, middle.x + x, middle.y + y};
    }

    template <class Visit>
    void for_whole_clusters(Visit visit) {
        for (size_t i = 0; i < whole_; ++i)
            if (layout_.clusters[i].bottom > layout_.clusters[i].top) visit(layout_.clusters[i]);
    }

    void find_cuts() {
        std::vector<LayoutBox> rows;
        for (size_t i = 0; i < layout_.nodes.size(); ++i) {
            const double half = graph_.nodes[i].height / 2;
            rows.push_back({0, layout_.nodes[i].y - half, 0, layout_.nodes[i].y + half});
        }
        for_whole_clusters([&](const LayoutBox& box) { rows.push_back({0, box.top, 0, box.bottom}); });
        std::sort(rows.begin(), rows.end(), [](const LayoutBox& a, const LayoutBox& b) { return a.top < b.top; });
        double reached = rows.front().bottom;
        for (const LayoutBox& row : rows) {
            if (row.top > reached + 4) cuts_.push_back({(row.top + reached) / 2, 0});
            reached = std::max(reached, row.bottom);
        }
        // A value that many use passes a cut once.
        passes_.assign(layout_.nodes.size(), {SIZE_MAX, 0});
        for (const LayoutEdge& edge : graph_.edges) {
            double from = layout_.nodes[edge.from].y, to = layout_.nodes[edge.to].y;
            if (from > to) std::swap(from, to);
            const auto below = [](const Cut& cut, double y) { return cut.y < y; };
            const auto first = std::lower_bound(cuts_.begin(), cuts_.end(), from, below);
            const auto last = std::lower_bound(first, cuts_.end(), to, below);
            auto& [begin, end] = passes_[edge.from];
            if (first == last) continue;
            begin = std::min(begin, size_t(first - cuts_.begin()));
            end = std::max(end, size_t(last - cuts_.begin()));
        }
        count_crossing([](uint32_t, double) { return true; });
    }

    /// Counts the values that pass each cut, of those that count, by their nodes and lengths.
    template <class Counts>
    void count_crossing(Counts counts) {
        std::vector<int> change(cuts_.size() + 1, 0);
        for (uint32_t node = 0; node < passes_.size(); ++node)
            if (const auto [begin, end] = passes_[node]; begin < end && counts(node, cuts_[end - 1].y - cuts_[begin].y))
                ++change[begin], --change[end];
        int crossing = 0;
        for (size_t i = 0; i < cuts_.size(); ++i) cuts_[i].crossing = crossing += change[i];
    }

    /// What many use, and what many give to one, passes half a column or more wherever the picture is cut: its line
    /// stands beside the columns.
    void leave_out_long_values() {
        std::vector<uint32_t> users(layout_.nodes.size()), inputs(layout_.nodes.size());
        for (const LayoutEdge& edge : graph_.edges) ++users[edge.from], ++inputs[edge.to];
        std::vector<bool> common(layout_.nodes.size());
        for (const LayoutEdge& edge : graph_.edges)
            if (users[edge.from] >= kMany || inputs[edge.to] >= kMany) common[edge.from] = true;
        count_crossing([&](uint32_t node, double length) {
            return !common[node] || length < layout_.height / double(2 * kMostColumns);
        });
    }

    /// Columns of about the same height; fewer where there is no place to cut.
    std::vector<Column> divide(size_t count) {
        std::vector<double> borders{0};
        const double height = layout_.height / double(count);
        for (size_t i = 1; i < count; ++i) {
            const double wanted = height * double(i);
            double nearest = -1;
            for (const Cut& cut : cuts_)
                if (cut.crossing <= kMostCrossing && cut.y > borders.back() + height / 3 &&
                    (nearest < 0 || std::abs(cut.y - wanted) < std::abs(nearest - wanted)))
                    nearest = cut.y;
            if (nearest > 0) borders.push_back(nearest);
        }
        borders.push_back(layout_.height);
        join_short(borders);
        std::vector<Column> columns;
        for (size_t i = 0; i + 1 < borders.size(); ++i) columns.push_back({borders[i], borders[i + 1], 1e18, -1e18, 0});
        measure(columns);
        return columns;
    }

    /// Where what can't be cut is the tallest, others fill columns up to about its height.
    static void join_short(std::vector<double>& borders) {
        constexpr double kMore = 1.15;
        double tallest = 0;
        for (size_t i = 0; i + 1 < borders.size(); ++i) tallest = std::max(tallest, borders[i + 1] - borders[i]);
        for (size_t i = 0; i + 2 < borders.size();) {
            if (borders[i + 2] - borders[i] <= kMore * tallest) borders.erase(borders.begin() + ptrdiff_t(i) + 1);
            else ++i;
        }
    }

    static size_t column_of(const std::vector<Column>& columns, double y) {
        size_t column = 0;
        while (column + 1 < columns.size() && y > columns[column].bottom) ++column;
        return column;
    }

    void measure(std::vector<Column>& columns) {
        const auto widen = [&](double y, double left, double right) {
            Column& column = columns[column_of(columns, y)];
            column.left = std::min(column.left, left);
            column.right = std::max(column.right, right);
        };
        for (size_t i = 0; i < layout_.nodes.size(); ++i) {
            const LayoutBox box = box_of(i);
            const double margin = is_cut(graph_.nodes[i].cluster) ? kBoxMargin : 0;
            widen(layout_.nodes[i].y, box.left - margin, box.right + margin);
        }
        for_whole_clusters([&](const LayoutBox& box) { widen((box.top + box.bottom) / 2, box.left, box.right); });
        double right = 0;
        for (Column& column : columns) {
            column.shift = right - column.left;
            right += column.right - column.left + kBetweenColumns;
        }
    }

    static double scale_of(const std::vector<Column>& columns, double width, double height) {
        double tallest = 1;
        for (const Column& column : columns) tallest = std::max(tallest, column.bottom - column.top);
        return std::min(width / (columns.back().right + columns.back().shift), height / tallest);
    }

    void place(const std::vector<Column>& columns) {
        double tallest = 0;
        for (const Column& column : columns) tallest = std::max(tallest, column.bottom - column.top);
        std::vector<size_t> of_node(layout_.nodes.size());
        for (size_t i = 0; i < of_node.size(); ++i) of_node[i] = column_of(columns, layout_.nodes[i].y);
        place_edges(columns, of_node, tallest);
        for (size_t i = 0; i < of_node.size(); ++i) layout_.nodes[i] = moved(layout_.nodes[i], columns[of_node[i]]);
        for_whole_clusters([&](LayoutBox& box) {
            const Column& column = columns[column_of(columns, (box.top + box.bottom) / 2)];
            box = {box.left + column.shift, box.top - column.top, box.right + column.shift, box.bottom - column.top};
        });
        place_cut_clusters(columns.size(), of_node);
        layout_.width = columns.back().right + columns.back().shift;
        layout_.height = tallest;
    }

    /// Edges from column to column go up between the two, each value on a line of its own.
    void place_edges(const std::vector<Column>& columns, const std::vector<size_t>& of_node, double tallest) {
        std::vector<std::vector<uint32_t>> lanes(columns.size());  // by column: the values that enter it
        std::vector<uint32_t> far;                                 // that pass below columns
        const auto place_in = [](std::vector<uint32_t>& list, uint32_t value) {
            const auto found = std::find(list.begin(), list.end(), value);
            if (found != list.end()) return size_t(found - list.begin());
            list.push_back(value);
            return list.size() - 1;
        };
        for (const LayoutEdge& edge : graph_.edges) {
            const size_t from = of_node[edge.from], to = of_node[edge.to];
            if (from == to) continue;
            place_in(lanes[to], edge.from);
            if (to == from + 1) continue;
            place_in(far, edge.from);
            if (from + 1 < columns.size()) place_in(lanes[from + 1], edge.from);
        }
        for (size_t i = 0; i < layout_.edges.size() && i < graph_.edges.size(); ++i) {
            const size_t from = of_node[graph_.edges[i].from], to = of_node[graph_.edges[i].to];
            std::vector<LayoutPoint>& points = layout_.edges[i];
            if (points.size() < 4) continue;
            if (from == to) {
                for (LayoutPoint& point : points) point = moved(point, columns[from]);
                continue;
            }
            const uint32_t value = graph_.edges[i].from;
            const auto lane_before = [&](size_t column) {
                const size_t lines = std::min(lanes[column].size(), kMostLines);
                const double lane = double(place_in(lanes[column], value) % kMostLines + 1);
                return columns[column].left + columns[column].shift - kBetweenColumns * lane / double(lines + 1);
            };
            const LayoutPoint start = moved(points.front(), columns[from]), end = moved(points.back(), columns[to]);
            const double between = lane_before(to), head = end.y - aside_of(place_in(lanes[to], value));
            if (to == from + 1 || from + 1 == columns.size()) {
                const double foot = start.y + aside_of(place_in(lanes[to], value));
                points = along(start, {{start.x, foot}, {between, foot}, {between, head}, {end.x, head}, end});
                continue;
            }
            // Over more than one column, below all of them.
            const double out = lane_before(from + 1), foot = start.y + aside_of(place_in(lanes[from + 1], value));
            const double below = tallest + aside_of(place_in(far, value));
            points = along(
                start,
                {{start.x, foot}, {out, foot}, {out, below}, {between, below}, {between, head}, {end.x, head}, end});
        }
    }

    /// Of lines side by side in a passage; where there are very many, some share one.
    static double aside_of(size_t lane) { return kBesideRows + kBetweenLines * double(lane % kMostLines); }

    /// After their nodes: a box in each column that they stand in.
    void place_cut_clusters(size_t columns, const std::vector<size_t>& of_node) {
        const size_t count = layout_.clusters.size() - whole_;
        constexpr LayoutBox kNone{1e18, 1e18, -1e18, -1e18};
        std::vector<LayoutBox> boxes(count * columns, kNone);
        for (size_t i = 0; i < of_node.size(); ++i) {
            if (!is_cut(graph_.nodes[i].cluster)) continue;
            LayoutBox& whole = boxes[(size_t(graph_.nodes[i].cluster) - whole_) * columns + of_node[i]];
            const LayoutBox node = box_of(i);
            whole = {std::min(whole.left, node.left - kBoxMargin), std::min(whole.top, node.top - kBoxHead),
                     std::max(whole.right, node.right + kBoxMargin), std::max(whole.bottom, node.bottom + kBoxMargin)};
        }
        for (size_t i = 0; i < count; ++i) {
            bool first = true;
            for (size_t column = 0; column < columns; ++column) {
                const LayoutBox& box = boxes[i * columns + column];
                if (box.right < box.left) continue;
                if (first) layout_.clusters[whole_ + i] = box;
                else layout_.more_boxes.push_back({uint32_t(whole_ + i), box});
                first = false;
            }
        }
    }

    static LayoutPoint moved(const LayoutPoint& point, const Column& column) {
        return {point.x + column.shift, point.y - column.top};
    }

    /// A line with corners.
    static std::vector<LayoutPoint> along(const LayoutPoint& from, std::initializer_list<LayoutPoint> corners) {
        std::vector<LayoutPoint> points{from};
        for (const LayoutPoint& corner : corners) {
            const LayoutPoint last = points.back();
            points.push_back({last.x + (corner.x - last.x) / 3, last.y + (corner.y - last.y) / 3});
            points.push_back({last.x + (corner.x - last.x) * 2 / 3, last.y + (corner.y - last.y) * 2 / 3});
            points.push_back(corner);
        }
        return points;
    }

    const LayoutGraph& graph_;
    LayoutResult& layout_;
    std::vector<Cut> cuts_;
    std::vector<std::pair<size_t, size_t>>
        passes_;    ///< by node: the first cut that its value passes, and behind the last
    size_t whole_;  ///< so many clusters are not cut
};

}  // namespace

bool put_in_columns(const LayoutGraph& graph, LayoutResult& layout, double width, double height, double readable,
                    size_t whole) {
    if (layout.nodes.empty() || layout.width <= 0 || layout.height <= 0) return false;
    return ColumnMaker(graph, layout, whole).run(width, height, readable);
}

}  // namespace partita
