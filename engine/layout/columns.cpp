#include "engine/layout/columns.h"

#include <algorithm>
#include <cmath>

namespace partita {
namespace {

constexpr double kBetweenColumns = 44, kBesideRows = 12;
constexpr int kMostCrossing = 2;
constexpr size_t kMostColumns = 8;
constexpr double kGain = 1.25;

/// A place between two rows where a picture may be cut.
struct Cut {
    double y = 0;
    int crossing = 0;  ///< edges
};

struct Column {
    double top = 0, bottom = 0, left = 0, right = 0;  ///< of the picture as it was
    double shift = 0;                                 ///< to the right
};

class ColumnMaker {
public:
    ColumnMaker(const LayoutGraph& graph, LayoutResult& layout) : graph_(graph), layout_(layout) {}

    void run(double width, double height, double readable) {
        const double whole = std::min(width / layout_.width, height / layout_.height);
        if (whole >= readable || layout_.nodes.size() < 4) return;
        find_cuts();
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
        if (!best.empty()) place(best);
    }

private:
    void find_cuts() {
        std::vector<LayoutBox> rows;
        for (size_t i = 0; i < layout_.nodes.size(); ++i) {
            const double half = graph_.nodes[i].height / 2;
            rows.push_back({0, layout_.nodes[i].y - half, 0, layout_.nodes[i].y + half});
        }
        for (const LayoutBox& box : layout_.clusters)
            if (box.bottom > box.top) rows.push_back({0, box.top, 0, box.bottom});
        std::sort(rows.begin(), rows.end(), [](const LayoutBox& a, const LayoutBox& b) { return a.top < b.top; });
        double reached = rows.front().bottom;
        for (const LayoutBox& row : rows) {
            if (row.top > reached + 4) cuts_.push_back({(row.top + reached) / 2, 0});
            reached = std::max(reached, row.bottom);
        }
        for (const LayoutEdge& edge : graph_.edges) {
            double from = layout_.nodes[edge.from].y, to = layout_.nodes[edge.to].y;
            if (from > to) std::swap(from, to);
            const auto below = [](const Cut& cut, double y) { return cut.y < y; };
            const auto first = std::lower_bound(cuts_.begin(), cuts_.end(), from, below);
            const auto last = std::lower_bound(first, cuts_.end(), to, below);
            if (first == last) continue;
            begins_.push_back(size_t(first - cuts_.begin()));
            ends_.push_back(size_t(last - cuts_.begin()));
        }
        std::vector<int> change(cuts_.size() + 1, 0);
        for (size_t i = 0; i < begins_.size(); ++i) ++change[begins_[i]], --change[ends_[i]];
        int crossing = 0;
        for (size_t i = 0; i < cuts_.size(); ++i) cuts_[i].crossing = crossing += change[i];
    }

    /// Columns of about the same height; fewer where there is no place to cut.
    std::vector<Column> divide(size_t count) const {
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
        std::vector<Column> columns;
        for (size_t i = 0; i + 1 < borders.size(); ++i) columns.push_back({borders[i], borders[i + 1], 1e18, -1e18, 0});
        measure(columns);
        return columns;
    }

    static size_t column_of(const std::vector<Column>& columns, double y) {
        size_t column = 0;
        while (column + 1 < columns.size() && y > columns[column].bottom) ++column;
        return column;
    }

    void measure(std::vector<Column>& columns) const {
        const auto widen = [&](double y, double left, double right) {
            Column& column = columns[column_of(columns, y)];
            column.left = std::min(column.left, left);
            column.right = std::max(column.right, right);
        };
        for (size_t i = 0; i < layout_.nodes.size(); ++i)
            widen(layout_.nodes[i].y, layout_.nodes[i].x - graph_.nodes[i].width / 2,
                  layout_.nodes[i].x + graph_.nodes[i].width / 2);
        for (const LayoutBox& box : layout_.clusters)
            if (box.bottom > box.top) widen((box.top + box.bottom) / 2, box.left, box.right);
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
        for (size_t i = 0; i < layout_.edges.size() && i < graph_.edges.size(); ++i) {
            const size_t from = of_node[graph_.edges[i].from], to = of_node[graph_.edges[i].to];
            std::vector<LayoutPoint>& points = layout_.edges[i];
            if (points.size() < 4) continue;
            if (from == to)
                for (LayoutPoint& point : points) point = moved(point, columns[from]);
            else
                // Over more than one column, below all of them.
                points = around(moved(points.front(), columns[from]), moved(points.back(), columns[to]),
                                kBesideRows + (to == from + 1 ? moved(points.front(), columns[from]).y : tallest),
                                columns[to].left + columns[to].shift - kBetweenColumns / 2);
        }
        for (size_t i = 0; i < of_node.size(); ++i) layout_.nodes[i] = moved(layout_.nodes[i], columns[of_node[i]]);
        for (LayoutBox& box : layout_.clusters) {
            if (box.bottom <= box.top) continue;
            const Column& column = columns[column_of(columns, (box.top + box.bottom) / 2)];
            box = {box.left + column.shift, box.top - column.top, box.right + column.shift, box.bottom - column.top};
        }
        layout_.width = columns.back().right + columns.back().shift;
        layout_.height = tallest;
    }

    static LayoutPoint moved(const LayoutPoint& point, const Column& column) {
        return {point.x + column.shift, point.y - column.top};
    }

    /// From below a row, at the height of `foot`, up between two columns, to above a row of the right one.
    static std::vector<LayoutPoint> around(const LayoutPoint& from, const LayoutPoint& to, double foot,
                                           double between) {
        const double head = to.y - kBesideRows;
        const LayoutPoint corners[] = {{from.x, foot}, {between, foot}, {between, head}, {to.x, head}, to};
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
    std::vector<size_t> begins_, ends_;  ///< cuts that edges cross, from and to
};

}  // namespace

void put_in_columns(const LayoutGraph& graph, LayoutResult& layout, double width, double height, double readable) {
    if (layout.nodes.empty() || layout.width <= 0 || layout.height <= 0) return;
    ColumnMaker(graph, layout).run(width, height, readable);
}

}  // namespace partita
