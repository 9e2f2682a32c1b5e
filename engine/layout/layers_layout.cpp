// Positions for the Layers engine: rows from the heights of the layers, columns by sweeps that pull each item toward
// its neighbours.
//
// Each step of a sweep solves one layer exactly: the positions nearest to the desired ones (least squares) that keep
// order and gaps are an isotonic regression, found by pooling adjacent violators (Barlow, Bartholomew, Bremner and
// Brunk 1972) in linear time. The borders of clusters are then further unknowns in a system of difference constraints:
// pushing everything right until it fits and pushing everything left until it fits are both solutions, so their mean is
// one.
#include <algorithm>
#include <cmath>

#include "engine/layout/engines.h"
#include "engine/layout/layers_graph.h"

namespace partita {
namespace {

constexpr double kGapInLayer = 18;  // points
constexpr double kBendGap = 8;
constexpr double kLayerGap = 30;
constexpr double kClusterMargin = 10;
constexpr double kClusterLabel = 16;  // height of the label in the box
constexpr int kPlacementSweeps = 4;
constexpr double kBendWeight = 3;      // extra weight of a bend: long edges become straight
constexpr double kSideWeight = 0.001;  // weight of items beside the longest path: the path becomes straight

double gap_between(const LayerItem& left, const LayerItem& right) {
    double gap = left.is_node && right.is_node ? kGapInLayer : kBendGap;
    if (left.cluster != right.cluster) gap = std::max(gap, kBendGap) + 2 * kClusterMargin;
    return (left.width + right.width) / 2 + gap;
}

class ColumnPlacer {
public:
    explicit ColumnPlacer(LayerGraph& graph) : graph_(graph) {}

    bool run(const CancelToken& cancel) {
        for (auto& layer : graph_.layers) pack(layer);
        size_t count = graph_.layers.size();
        for (int sweep = 0; sweep < kPlacementSweeps; sweep++) {
            for (size_t i = 1; i < count; i++) pull(graph_.layers[i], true, false);
            if (cancel.cancelled()) return false;
            for (size_t i = count - 1; i-- > 0;) pull(graph_.layers[i], false, true);
            if (cancel.cancelled()) return false;
        }
        for (size_t i = 0; i < count; i++) pull(graph_.layers[i], true, true);
        return true;
    }

private:
    struct Block {
        double sum, weight;
        size_t end;
        double value() const { return sum / weight; }
    };

    void pack(const std::vector<uint32_t>& layer) {
        double x = 0;
        for (size_t i = 0; i < layer.size(); i++) {
            if (i > 0) x += gap_between(graph_.items[layer[i - 1]], graph_.items[layer[i]]);
            graph_.items[layer[i]].x = x;
        }
        for (uint32_t item : layer) graph_.items[item].x -= x / 2;
    }

    double wish(uint32_t item, bool above, bool below) const {
        double sum = 0, side_sum = 0;
        size_t count = 0, side_count = 0;
        auto add = [&](std::span<const uint32_t> neighbours) {
            for (uint32_t neighbour : neighbours) {
                const LayerItem& other = graph_.items[neighbour];
                (other.side ? side_sum : sum) += other.x;
                ++(other.side ? side_count : count);
            }
        };
        if (above) add(graph_.neighbours_above(item));
        if (below) add(graph_.neighbours_below(item));
        // Items on the longest path follow only each other: pulled by the weights at the side, it would slant.
        if (count == 0 || graph_.items[item].side) {
            sum += side_sum;
            count += side_count;
        }
        return count == 0 ? graph_.items[item].x : sum / double(count);
    }

    void pull(const std::vector<uint32_t>& layer, bool above, bool below) {
        offsets_.assign(layer.size(), 0);
        blocks_.clear();
        for (size_t i = 0; i < layer.size(); i++) {
            const LayerItem& item = graph_.items[layer[i]];
            if (i > 0) offsets_[i] = offsets_[i - 1] + gap_between(graph_.items[layer[i - 1]], item);
            double weight = (item.is_node ? 1 : kBendWeight) * (item.side ? kSideWeight : 1);
            blocks_.push_back({weight * (wish(layer[i], above, below) - offsets_[i]), weight, i + 1});
            while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].value() > blocks_.back().value()) {
                Block last = blocks_.back();
                blocks_.pop_back();
                blocks_.back().sum += last.sum;
                blocks_.back().weight += last.weight;
                blocks_.back().end = last.end;
            }
        }
        size_t i = 0;
        for (const Block& block : blocks_) {
            for (; i < block.end; i++) graph_.items[layer[i]].x = block.value() + offsets_[i];
        }
    }

    LayerGraph& graph_;
    std::vector<double> offsets_;
    std::vector<Block> blocks_;
};

/// Spaces items apart for the boxes of clusters. Unknowns: x of the items, then the left and right border of each
/// cluster.
class ClusterSeparator {
public:
    ClusterSeparator(LayerGraph& graph, size_t cluster_count)
        : graph_(graph), cluster_count_(cluster_count), wish_(graph.items.size() + 2 * cluster_count) {}

    void run() {
        collect_wishes();
        collect_gaps();
        std::vector<uint32_t> order = topological_order();
        // Only spacers left out in a huge graph can cause a cycle; boxes may then overlap.
        if (order.size() != wish_.size()) return;
        std::vector<double> pushed_right = wish_, pushed_left = wish_;
        for (uint32_t unknown : order) {
            for (uint32_t i = begin_[unknown]; i < begin_[unknown + 1]; i++) {
                double& x = pushed_right[gaps_[i].right];
                x = std::max(x, pushed_right[unknown] + gaps_[i].size);
            }
        }
        for (size_t k = order.size(); k-- > 0;) {
            uint32_t unknown = order[k];
            for (uint32_t i = begin_[unknown]; i < begin_[unknown + 1]; i++) {
                pushed_left[unknown] = std::min(pushed_left[unknown], pushed_left[gaps_[i].right] - gaps_[i].size);
            }
        }
        for (size_t i = 0; i < graph_.items.size(); i++) graph_.items[i].x = (pushed_right[i] + pushed_left[i]) / 2;
    }

private:
    struct Gap {
        uint32_t left, right;
        double size;
    };

    uint32_t left_border(int32_t cluster) const { return uint32_t(graph_.items.size() + 2 * size_t(cluster)); }
    uint32_t right_border(int32_t cluster) const { return left_border(cluster) + 1; }

    void collect_wishes() {
        for (size_t i = 0; i < 2 * cluster_count_; i++) wish_[graph_.items.size() + i] = i % 2 == 0 ? 1e300 : -1e300;
        for (uint32_t i = 0; i < graph_.items.size(); i++) {
            const LayerItem& item = graph_.items[i];
            wish_[i] = item.x;
            if (item.cluster < 0) continue;
            double& left = wish_[left_border(item.cluster)];
            double& right = wish_[right_border(item.cluster)];
            left = std::min(left, item.x - item.width / 2 - kClusterMargin);
            right = std::max(right, item.x + item.width / 2 + kClusterMargin);
        }
    }

    void collect_gaps() {
        std::vector<Gap> found;
        for (const auto& layer : graph_.layers) {
            for (size_t i = 0; i < layer.size(); i++) {
                const LayerItem& item = graph_.items[layer[i]];
                if (item.cluster >= 0) {
                    double size = item.width / 2 + kClusterMargin;
                    found.push_back({left_border(item.cluster), layer[i], size});
                    found.push_back({layer[i], right_border(item.cluster), size});
                }
                if (i > 0) found.push_back(gap_in_layer(layer[i - 1], layer[i]));
            }
        }
        begin_.assign(wish_.size() + 1, 0);
        for (const Gap& gap : found) begin_[gap.left + 1]++;
        for (size_t i = 0; i < wish_.size(); i++) begin_[i + 1] += begin_[i];
        gaps_.resize(found.size());
        std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (const Gap& gap : found) gaps_[next[gap.left]++] = gap;
    }

    Gap gap_in_layer(uint32_t left, uint32_t right) const {
        const LayerItem& left_item = graph_.items[left];
        const LayerItem& right_item = graph_.items[right];
        if (left_item.cluster == right_item.cluster) return {left, right, gap_between(left_item, right_item)};
        double size = kBendGap;
        if (left_item.cluster >= 0) left = right_border(left_item.cluster);
        else size += left_item.width / 2;
        if (right_item.cluster >= 0) right = left_border(right_item.cluster);
        else size += right_item.width / 2;
        return {left, right, size};
    }

    std::vector<uint32_t> topological_order() const {
        std::vector<uint32_t> waiting(wish_.size(), 0), order;
        order.reserve(wish_.size());
        for (const Gap& gap : gaps_) waiting[gap.right]++;
        for (uint32_t i = 0; i < wish_.size(); i++) {
            if (waiting[i] == 0) order.push_back(i);
        }
        for (size_t done = 0; done < order.size(); done++) {
            for (uint32_t i = begin_[order[done]]; i < begin_[order[done] + 1]; i++) {
                if (--waiting[gaps_[i].right] == 0) order.push_back(gaps_[i].right);
            }
        }
        return order;
    }

    LayerGraph& graph_;
    size_t cluster_count_;
    std::vector<double> wish_;
    std::vector<uint32_t> begin_;
    std::vector<Gap> gaps_;
};

/// The centre and height of each layer, with space where clusters begin and end.
struct Rows {
    std::vector<double> middle, height;
    double bottom = 0;
};

Rows place_rows(const LayoutGraph& input, const LayerGraph& graph) {
    size_t count = graph.layers.size();
    Rows rows{std::vector<double>(count), std::vector<double>(count, 0), 0};
    std::vector<uint32_t> first(input.clusters.size(), UINT32_MAX), last(input.clusters.size(), 0);
    for (size_t i = 0; i < input.nodes.size(); i++) {
        uint32_t layer = graph.items[i].layer;
        rows.height[layer] = std::max(rows.height[layer], input.nodes[i].height);
        if (input.nodes[i].cluster < 0) continue;
        size_t cluster = size_t(input.nodes[i].cluster);
        first[cluster] = std::min(first[cluster], layer);
        last[cluster] = std::max(last[cluster], layer);
    }
    std::vector<double> room_above(count, 0), room_below(count, 0);
    for (size_t i = 0; i < first.size(); i++) {
        if (first[i] == UINT32_MAX) continue;
        room_above[first[i]] = kClusterMargin + kClusterLabel;
        room_below[last[i]] = kClusterMargin;
    }
    double y = 0;
    for (size_t i = 0; i < count; i++) {
        y += room_above[i];
        rows.middle[i] = y + rows.height[i] / 2;
        y += rows.height[i] + room_below[i] + kLayerGap;
    }
    rows.bottom = y;
    return rows;
}

class ResultWriter {
public:
    ResultWriter(const LayoutGraph& input, const LayerGraph& graph, const Rows& rows)
        : input_(input), graph_(graph), rows_(rows) {}

    LayoutResult write() {
        result_.nodes.reserve(input_.nodes.size());
        for (size_t i = 0; i < input_.nodes.size(); i++) result_.nodes.push_back(middle_of(uint32_t(i)));
        result_.edges.reserve(input_.edges.size());
        for (size_t i = 0; i < input_.edges.size(); i++) result_.edges.push_back(curve_of(i));
        write_boxes();
        move_to_origin();
        return std::move(result_);
    }

private:
    LayoutPoint middle_of(uint32_t item) const {
        return {graph_.items[item].x, rows_.middle[graph_.items[item].layer]};
    }

    /// Returns the curve of an edge, vertical where it leaves, bends and arrives.
    std::vector<LayoutPoint> curve_of(size_t edge) const {
        const std::vector<uint32_t>& path = graph_.paths[edge];
        if (path.empty()) return loop_of(input_.edges[edge].from);
        std::vector<LayoutPoint> points;
        points.reserve(3 * path.size() - 2);
        for (size_t i = 0; i < path.size(); i++) {
            LayoutPoint next = middle_of(path[i]);
            if (i == 0) next.y += input_.nodes[path[i]].height / 2;
            if (i + 1 == path.size()) next.y -= input_.nodes[path[i]].height / 2;
            if (i > 0) {
                LayoutPoint last = points.back();
                double half = (next.y - last.y) / 2;
                points.push_back({last.x, last.y + half});
                points.push_back({next.x, next.y - half});
            }
            points.push_back(next);
        }
        if (graph_.reversed[edge]) std::reverse(points.begin(), points.end());
        return points;
    }

    std::vector<LayoutPoint> loop_of(uint32_t node) const {
        LayoutPoint middle = middle_of(node);
        double right = middle.x + input_.nodes[node].width / 2, quarter = input_.nodes[node].height / 4;
        return {{right, middle.y - quarter},
                {right + kGapInLayer, middle.y - quarter},
                {right + kGapInLayer, middle.y + quarter},
                {right, middle.y + quarter}};
    }

    void write_boxes() {
        std::vector<bool> seen(input_.clusters.size(), false);
        result_.clusters.resize(input_.clusters.size());
        for (size_t i = 0; i < graph_.items.size(); i++) {
            const LayerItem& item = graph_.items[i];
            if (item.cluster < 0) continue;
            double half = i < input_.nodes.size() ? input_.nodes[i].height / 2 : 0;
            double y = rows_.middle[item.layer];
            LayoutBox box{item.x - item.width / 2 - kClusterMargin, y - half - kClusterMargin - kClusterLabel,
                          item.x + item.width / 2 + kClusterMargin, y + half + kClusterMargin};
            LayoutBox& whole = result_.clusters[size_t(item.cluster)];
            if (!seen[size_t(item.cluster)]) whole = box;
            seen[size_t(item.cluster)] = true;
            whole.left = std::min(whole.left, box.left);
            whole.top = std::min(whole.top, box.top);
            whole.right = std::max(whole.right, box.right);
            whole.bottom = std::max(whole.bottom, box.bottom);
        }
    }

    void move_to_origin() {
        double left = 1e300, right = -1e300;
        for (size_t i = 0; i < input_.nodes.size(); i++) {
            left = std::min(left, result_.nodes[i].x - input_.nodes[i].width / 2);
            right = std::max(right, result_.nodes[i].x + input_.nodes[i].width / 2);
        }
        for (const LayerItem& item : graph_.items) {
            left = std::min(left, item.x);
            right = std::max(right, item.x);
        }
        for (const LayoutBox& box : result_.clusters) {
            left = std::min(left, box.left);
            right = std::max(right, box.right);
        }
        if (left > right) left = right = 0;
        for (LayoutPoint& point : result_.nodes) point.x -= left;
        for (auto& edge : result_.edges) {
            for (LayoutPoint& point : edge) point.x -= left;
        }
        for (LayoutBox& box : result_.clusters) {
            box.left -= left;
            box.right -= left;
        }
        result_.width = right - left;
        result_.height = std::max(0.0, rows_.bottom - kLayerGap);
    }

    const LayoutGraph& input_;
    const LayerGraph& graph_;
    const Rows& rows_;
    LayoutResult result_;
};

}  // namespace

Result<LayoutResult> lay_out_in_layers(const LayoutGraph& graph, const CancelToken& cancel) {
    if (graph.nodes.empty()) {
        LayoutResult nothing;
        nothing.clusters.resize(graph.clusters.size());
        return nothing;
    }
    LayerGraph layered = make_layers(graph);
    if (!order_layers(layered, graph.clusters.size(), cancel)) return error("the layout was cancelled");
    if (!ColumnPlacer(layered).run(cancel)) return error("the layout was cancelled");
    if (!graph.clusters.empty()) ClusterSeparator(layered, graph.clusters.size()).run();
    Rows rows = place_rows(graph, layered);
    return ResultWriter(graph, layered, rows).write();
}

}  // namespace partita
