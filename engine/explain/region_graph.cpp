#include "engine/explain/region_graph.h"

#include <algorithm>

#include "engine/ir/traversal.h"

namespace partita {

namespace {
constexpr uint32_t kNone = ~0u;
constexpr uint32_t kNoRank = ~0u;
}  // namespace

RegionGraph::RegionGraph(const Module& module, std::span<const int32_t> region_of, size_t regions)
    : module_(module), region_of_(region_of), regions_(uint32_t(regions)) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    for (ExprId id : post_order(module, roots)) {
        if (module.kind(id) == ExprKind::Function) continue;
        if (module.kind(id) == ExprKind::Let) {
            const std::span<const ExprId> operands = module.operands(id);
            add_edge(operands[1], operands[0]);  // what is bound, and its variable
            add_edge(operands[2], id);
            continue;
        }
        for (ExprId operand : module.operands(id))
            if (module.kind(operand) != ExprKind::Op) add_edge(operand, id);
    }
    out_ = table(true);
    in_ = table(false);
    rank_groups();
    collect_neighbours();
    for (Search* search : {&forward_, &backward_}) {
        search->reached.assign(rank_.size(), 0);
        search->by_edge.assign(rank_.size(), kNone);
    }
}

void RegionGraph::add_edge(ExprId from, ExprId to) {
    const uint32_t from_group = group_of(from), to_group = group_of(to);
    if (from_group != to_group) edges_.push_back({from_group, to_group, from, to});
}

std::vector<PathHop> RegionGraph::hops(std::span<const ExprId> path) const {
    std::vector<PathHop> hops;
    for (size_t i = 1; i < path.size(); ++i)
        hops.push_back(group_of(path[i - 1]) == group_of(path[i]) ? PathHop::Inside : PathHop::Data);
    return hops;
}

/// Regions are the first groups; after them each expression of the module is one.
uint32_t RegionGraph::group_of(ExprId id) const {
    int32_t region = id.value < region_of_.size() ? region_of_[id.value] : -1;
    return region >= 0 ? uint32_t(region) : regions_ + id.value;
}

RegionGraph::Table RegionGraph::table(bool by_source) const {
    Table table;
    table.begin.assign(regions_ + module_.size() + 1, 0);
    auto end_of = [by_source](const Edge& edge) { return by_source ? edge.from_group : edge.to_group; };
    for (const Edge& edge : edges_) ++table.begin[end_of(edge) + 1];
    for (size_t i = 1; i < table.begin.size(); ++i) table.begin[i] += table.begin[i - 1];
    std::vector<uint32_t> next = table.begin;
    table.edges.resize(edges_.size());
    for (uint32_t i = 0; i < edges_.size(); ++i) table.edges[next[end_of(edges_[i])]++] = i;
    return table;
}

void RegionGraph::rank_groups() {
    rank_.assign(regions_ + module_.size(), kNoRank);
    std::vector<uint32_t> waiting(rank_.size()), queue;
    for (const Edge& edge : edges_) ++waiting[edge.to_group];
    for (uint32_t group = 0; group < rank_.size(); ++group)
        if (!waiting[group]) queue.push_back(group);
    for (uint32_t next = 0; next < queue.size(); ++next) {
        rank_[queue[next]] = next;
        for (uint32_t edge : out_.of(queue[next]))
            if (--waiting[edges_[edge].to_group] == 0) queue.push_back(edges_[edge].to_group);
    }
}

void RegionGraph::collect_neighbours() {
    for (const Edge& edge : edges_)
        if (edge.from_group < regions_ && edge.to_group < regions_)
            neighbours_.push_back({int(edge.from_group), int(edge.to_group), edge.from, edge.to});
    auto ends = [](const RegionNeighbours& pair) { return std::pair(pair.producer, pair.consumer); };
    std::stable_sort(neighbours_.begin(), neighbours_.end(),
                     [&](const auto& a, const auto& b) { return ends(a) < ends(b); });
    auto last = std::unique(neighbours_.begin(), neighbours_.end(),
                            [&](const auto& a, const auto& b) { return ends(a) == ends(b); });
    neighbours_.erase(last, neighbours_.end());
}

const RegionNeighbours* RegionGraph::find(int producer, int consumer) const {
    auto found = std::lower_bound(neighbours_.begin(), neighbours_.end(), std::pair(producer, consumer),
                                  [](const RegionNeighbours& pair, const std::pair<int, int>& wanted) {
                                      return std::pair(pair.producer, pair.consumer) < wanted;
                                  });
    bool is_it = found != neighbours_.end() && found->producer == producer && found->consumer == consumer;
    return is_it ? &*found : nullptr;
}

/// Expands the next group of the queue; returns a group that both searches have reached, or kNone.
uint32_t RegionGraph::expand(Search& search, const Search& other, bool forward, uint32_t own_end, uint32_t other_end) {
    uint32_t group = search.queue[search.next++];
    for (uint32_t edge : forward ? out_.of(group) : in_.of(group)) {
        uint32_t to = forward ? edges_[edge].to_group : edges_[edge].from_group;
        if (to == own_end || to == other_end || search.reached[to] == searches_) continue;
        // No path leads to the other end from behind it in the order.
        uint32_t rank = rank_[to], limit = rank_[other_end];
        if (rank != kNoRank && limit != kNoRank && (forward ? rank > limit : rank < limit)) continue;
        search.reached[to] = searches_;
        search.by_edge[to] = edge;
        if (other.reached[to] == searches_) return to;
        search.queue.push_back(to);
    }
    return kNone;
}

std::vector<ExprId> RegionGraph::path_around(int producer, int consumer) {
    ++searches_;
    uint32_t from = uint32_t(producer), to = uint32_t(consumer);
    forward_.queue = {from};
    backward_.queue = {to};
    forward_.next = backward_.next = 0;
    // Once the direct predecessors of the consumer are marked, each side alone would meet what the other has reached:
    // if one side is exhausted there is no path.
    uint32_t meeting = expand(backward_, forward_, false, to, from);
    while (meeting == kNone) {
        size_t ahead = forward_.queue.size() - forward_.next, behind = backward_.queue.size() - backward_.next;
        if (!ahead || !behind) return {};
        meeting = ahead <= behind ? expand(forward_, backward_, true, from, to)
                                  : expand(backward_, forward_, false, to, from);
    }
    return path_through(meeting, from, to);
}

std::vector<ExprId> RegionGraph::path_through(uint32_t meeting, uint32_t producer, uint32_t consumer) const {
    std::vector<uint32_t> edges;
    for (uint32_t group = meeting; group != producer; group = edges_[edges.back()].from_group)
        edges.push_back(forward_.by_edge[group]);
    std::reverse(edges.begin(), edges.end());
    for (uint32_t group = meeting; group != consumer; group = edges_[edges.back()].to_group)
        edges.push_back(backward_.by_edge[group]);
    std::vector<ExprId> path;
    for (uint32_t edge : edges) {
        if (path.empty() || path.back() != edges_[edge].from) path.push_back(edges_[edge].from);
        path.push_back(edges_[edge].to);
    }
    return path;
}

}  // namespace partita
