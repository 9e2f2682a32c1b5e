#include "engine/layout/layers_graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace partita {
namespace {

/// Edges by the node at one end, in a flat array.
struct Adjacency {
    std::vector<uint32_t> begin, list;
    std::span<const uint32_t> of(uint32_t node) const {
        return {list.data() + begin[node], begin[node + 1] - begin[node]};
    }
};

template <class KeyOf>
Adjacency group_by(size_t key_count, size_t count, KeyOf key_of) {
    Adjacency groups;
    groups.begin.assign(key_count + 1, 0);
    for (size_t i = 0; i < count; i++) groups.begin[key_of(i) + 1]++;
    for (size_t i = 0; i < key_count; i++) groups.begin[i + 1] += groups.begin[i];
    groups.list.resize(count);
    std::vector<uint32_t> next(groups.begin.begin(), groups.begin.end() - 1);
    for (size_t i = 0; i < count; i++) groups.list[next[key_of(i)]++] = uint32_t(i);
    return groups;
}

/// Searches depth first from every node. An edge to an open node closes a cycle.
std::vector<bool> find_back_edges(const LayoutGraph& graph) {
    size_t count = graph.nodes.size();
    Adjacency out = group_by(count, graph.edges.size(), [&](size_t i) { return graph.edges[i].from; });
    enum State : uint8_t { New, Open, Done };
    std::vector<State> state(count, New);
    std::vector<bool> back(graph.edges.size(), false);
    std::vector<std::pair<uint32_t, uint32_t>> stack;  // node, index of its next edge
    for (uint32_t root = 0; root < count; root++) {
        if (state[root] != New) continue;
        stack.emplace_back(root, 0);
        state[root] = Open;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            if (next == out.of(node).size()) {
                state[node] = Done;
                stack.pop_back();
                continue;
            }
            uint32_t edge = out.of(node)[next++];
            uint32_t target = graph.edges[edge].to;
            if (state[target] == Open) back[edge] = true;
            else if (state[target] == New) {
                state[target] = Open;
                stack.emplace_back(target, 0);
            }
        }
    }
    return back;
}

/// The graph without loops, with every edge directed downward.
struct DownGraph {
    std::vector<LayoutEdge> edges;
    Adjacency out, in;
};

DownGraph turn_down(const LayoutGraph& graph, const std::vector<bool>& reversed) {
    DownGraph down;
    for (size_t i = 0; i < graph.edges.size(); i++) {
        LayoutEdge edge = graph.edges[i];
        if (edge.from == edge.to) continue;
        if (reversed[i]) std::swap(edge.from, edge.to);
        down.edges.push_back(edge);
    }
    size_t count = graph.nodes.size();
    down.out = group_by(count, down.edges.size(), [&](size_t i) { return down.edges[i].from; });
    down.in = group_by(count, down.edges.size(), [&](size_t i) { return down.edges[i].to; });
    return down;
}

std::vector<uint32_t> topological_order(const DownGraph& down, size_t count) {
    std::vector<uint32_t> waiting(count);
    std::vector<uint32_t> order;
    order.reserve(count);
    for (uint32_t node = 0; node < count; node++) {
        waiting[node] = uint32_t(down.in.of(node).size());
        if (waiting[node] == 0) order.push_back(node);
    }
    for (size_t done = 0; done < order.size(); done++) {
        for (uint32_t edge : down.out.of(order[done])) {
            if (--waiting[down.edges[edge].to] == 0) order.push_back(down.edges[edge].to);
        }
    }
    return order;
}

/// Returns, by node, whether the start of a longest path does not reach it: weights and values computed from weights
/// alone, branches that join late.
std::vector<bool> find_side_nodes(const DownGraph& down, const std::vector<uint32_t>& order, size_t count) {
    std::vector<uint32_t> height(count, 0);
    uint32_t start = UINT32_MAX;
    for (size_t i = order.size(); i-- > 0;) {
        const uint32_t node = order[i];
        for (uint32_t edge : down.out.of(node)) height[node] = std::max(height[node], height[down.edges[edge].to] + 1);
        const bool higher = start == UINT32_MAX || height[node] > height[start];
        if (higher || (node < start && height[node] == height[start])) start = node;
    }
    std::vector<bool> side(count, true);
    if (start != UINT32_MAX) side[start] = false;
    for (uint32_t node : order) {
        if (side[node]) continue;
        for (uint32_t edge : down.out.of(node)) side[down.edges[edge].to] = false;
    }
    return side;
}

std::vector<uint32_t> assign_layers(const DownGraph& down, const std::vector<uint32_t>& order,
                                    const std::vector<bool>& side, size_t count) {
    std::vector<uint32_t> layer(count, 0);
    for (uint32_t node : order) {
        for (uint32_t edge : down.out.of(node)) {
            uint32_t& target = layer[down.edges[edge].to];
            target = std::max(target, layer[node] + 1);
        }
    }
    // A node with fewer inputs than outputs shortens edges by moving down to its first user. All side nodes move:
    // otherwise those of each layer of a network would gather at the top, far from their layer.
    for (size_t i = order.size(); i-- > 0;) {
        uint32_t node = order[i];
        auto users = down.out.of(node);
        if (users.empty() || (!side[node] && down.in.of(node).size() >= users.size())) continue;
        uint32_t lowest = UINT32_MAX;
        for (uint32_t edge : users) lowest = std::min(lowest, layer[down.edges[edge].to] - 1);
        layer[node] = std::max(layer[node], lowest);
    }
    return layer;
}

/// Returns, by node, whether many of its edges need bends: they share them, as one line that branches, not a bundle.
std::vector<bool> find_branching(const DownGraph& down, const std::vector<uint32_t>& layer) {
    constexpr size_t kFewest = 6;
    // Each edge names all bends of its line, so that many long ones would fill the memory.
    uint64_t budget = 20 * (layer.size() + down.edges.size()) + 50000;
    std::vector<bool> branching(layer.size(), false);
    for (uint32_t node = 0; node < layer.size(); node++) {
        size_t bent = 0;
        uint64_t bends = 0;
        for (uint32_t edge : down.out.of(node)) {
            const uint32_t span = layer[down.edges[edge].to] - layer[node];
            bent += span > 1;
            bends += span;
        }
        branching[node] = bent >= kFewest && bends <= budget;
        if (branching[node]) budget -= bends;
    }
    return branching;
}

/// Returns the longest span that gets bends, chosen so that their number stays within twice the size of the graph.
uint32_t longest_bent_span(const DownGraph& down, const std::vector<uint32_t>& layer,
                           const std::vector<bool>& branching) {
    uint32_t layer_count = 1;
    for (uint32_t value : layer) layer_count = std::max(layer_count, value + 1);
    // By span: edges with bends of their own, and nodes whose longest edge with shared ones has that span.
    std::vector<uint64_t> edges_of_span(layer_count, 0), lines_of_span(layer_count + 1, 0);
    for (uint32_t node = 0; node < layer.size(); node++) {
        uint32_t longest = 0;
        for (uint32_t edge : down.out.of(node)) {
            const uint32_t span = layer[down.edges[edge].to] - layer[node];
            longest = std::max(longest, span);
            if (!branching[node]) edges_of_span[span]++;
        }
        if (branching[node]) lines_of_span[longest]++;
    }
    for (size_t span = layer_count; span-- > 0;) lines_of_span[span] += lines_of_span[span + 1];
    const uint64_t budget = 2 * (layer.size() + down.edges.size()) + 1000;
    uint64_t bends = 0;
    uint32_t span = 1;
    while (span + 1 < layer_count) {
        const uint64_t more = edges_of_span[span + 1] * span + lines_of_span[span + 1];
        if (bends + more > budget) break;
        bends += more;
        span++;
    }
    return span;
}

void join_neighbours(LayerGraph& graph) {
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (const auto& path : graph.paths) {
        for (size_t i = 0; i + 1 < path.size(); i++) pairs.emplace_back(path[i], path[i + 1]);
    }
    Adjacency below = group_by(graph.items.size(), pairs.size(), [&](size_t i) { return pairs[i].first; });
    Adjacency above = group_by(graph.items.size(), pairs.size(), [&](size_t i) { return pairs[i].second; });
    for (uint32_t& pair : below.list) pair = pairs[pair].second;
    for (uint32_t& pair : above.list) pair = pairs[pair].first;
    graph.below = std::move(below.list);
    graph.below_begin = std::move(below.begin);
    graph.above = std::move(above.list);
    graph.above_begin = std::move(above.begin);
}

/// Gives each edge its bends.
class PathMaker {
public:
    PathMaker(LayerGraph& result, const LayoutGraph& graph, const std::vector<bool>& branching, uint32_t longest_span)
        : result_(result), graph_(graph), branching_(branching), longest_span_(longest_span) {}

    void run() {
        result_.paths.resize(graph_.edges.size());
        for (size_t i = 0; i < graph_.edges.size(); i++)
            if (graph_.edges[i].from != graph_.edges[i].to) add_path(i);
    }

private:
    void add_path(size_t edge) {
        auto [upper, lower] = graph_.edges[edge];
        if (result_.reversed[edge]) std::swap(upper, lower);
        const uint32_t first = result_.items[upper].layer, last = result_.items[lower].layer;
        std::vector<uint32_t>& path = result_.paths[edge];
        path.push_back(upper);
        if (last - first <= longest_span_) {
            int32_t cluster = result_.items[upper].cluster;
            if (cluster != result_.items[lower].cluster) cluster = -1;
            std::vector<uint32_t> own;
            std::vector<uint32_t>& bends = branching_[upper] ? shared_[uint64_t(upper) << 32 | uint32_t(cluster)] : own;
            while (first + bends.size() + 1 < last) {
                const uint32_t layer = first + uint32_t(bends.size()) + 1;
                bends.push_back(uint32_t(result_.items.size()));
                result_.items.push_back({layer, cluster, 0, 0, false, result_.items[upper].side});
            }
            path.insert(path.end(), bends.begin(), bends.begin() + (last - first - 1));
        }
        path.push_back(lower);
    }

    LayerGraph& result_;
    const LayoutGraph& graph_;
    const std::vector<bool>& branching_;
    uint32_t longest_span_;
    std::unordered_map<uint64_t, std::vector<uint32_t>> shared_;  ///< by node and cluster: a bend in each layer below
};

}  // namespace

LayerGraph make_layers(const LayoutGraph& graph) {
    LayerGraph result;
    result.reversed = find_back_edges(graph);
    DownGraph down = turn_down(graph, result.reversed);
    const std::vector<uint32_t> order = topological_order(down, graph.nodes.size());
    const std::vector<bool> side = find_side_nodes(down, order, graph.nodes.size());
    std::vector<uint32_t> layer = assign_layers(down, order, side, graph.nodes.size());
    result.items.reserve(graph.nodes.size() * 2);
    for (size_t i = 0; i < graph.nodes.size(); i++) {
        result.items.push_back({layer[i], graph.nodes[i].cluster, graph.nodes[i].width, 0, true, side[i]});
    }
    const std::vector<bool> branching = find_branching(down, layer);
    PathMaker(result, graph, branching, longest_bent_span(down, layer, branching)).run();
    join_neighbours(result);
    for (uint32_t item = 0; item < result.items.size(); item++) {
        size_t needed = size_t(result.items[item].layer) + 1;
        if (result.layers.size() < needed) result.layers.resize(needed);
        result.layers[result.items[item].layer].push_back(item);
    }
    return result;
}

}  // namespace partita
