#include "engine/passes/cycle_graph.h"

#include "engine/passes/region_merger.h"

namespace partita {

CycleGraph::CycleGraph(RegionSet& regions, MarkReader& reader, const DependenceGraph& graph,
                       std::span<const ExprId> order, std::span<const std::vector<uint32_t>> cycles)
    : vertex_of_region_(size_t(regions.size()), kNo) {
    std::vector<uint32_t> cycle_of(graph.vertex_count(), kNo);
    for (uint32_t cycle = 0; cycle < cycles.size(); ++cycle)
        for (uint32_t vertex : cycles[cycle]) cycle_of[vertex] = cycle;
    std::vector<ExprId> expressions;  // those of all cycles
    std::vector<uint32_t> vertex_of_expr(graph.vertex_count() - uint32_t(regions.size()), kNo);
    for (ExprId id : order) {
        const uint32_t cycle = cycle_of[graph.vertex_of(id)];
        if (cycle == kNo) continue;
        expressions.push_back(id);
        vertex_of_expr[id.value] = vertex_for(regions, reader, id, cycle);
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (ExprId id : expressions) {
        const uint32_t user = vertex_of_expr[id.value];
        for (uint32_t i = 0;; ++i) {
            const ExprId operand = graph.use(id, i);
            if (!operand.valid()) break;
            const uint32_t used = vertex_of_expr[operand.value];
            if (used != kNo && used != user && cycle_of_[used] == cycle_of_[user]) edges.emplace_back(user, used);
        }
    }
    uses_ = rows(size(), edges, false);
    users_ = rows(size(), edges, true);
}

uint32_t CycleGraph::vertex_for(RegionSet& regions, MarkReader& reader, ExprId id, uint32_t cycle) {
    const int32_t region = regions.region_of(id);
    const bool in_region = region != RegionSet::kNone && regions.compiler(region) != CompilerNames::kDefault;
    if (in_region && vertex_of_region_[size_t(region)] != kNo) return vertex_of_region_[size_t(region)];
    const uint32_t vertex = uint32_t(size());
    expr_of_.push_back(in_region ? representative(regions, reader, region) : id);
    cycle_of_.push_back(cycle);
    if (in_region) vertex_of_region_[size_t(region)] = vertex;
    return vertex;
}

/// Sorts edges by their first vertex.
CycleGraph::Rows CycleGraph::rows(size_t vertices, std::span<const std::pair<uint32_t, uint32_t>> edges,
                                  bool reversed) {
    Rows rows{std::vector<uint32_t>(vertices + 1), std::vector<uint32_t>(edges.size())};
    for (auto [user, used] : edges) ++rows.begin[(reversed ? used : user) + 1];
    for (size_t i = 1; i <= vertices; ++i) rows.begin[i] += rows.begin[i - 1];
    std::vector<uint32_t> at(rows.begin.begin(), rows.begin.end() - 1);
    for (auto [user, used] : edges) rows.list[at[reversed ? used : user]++] = reversed ? user : used;
    return rows;
}

std::vector<uint32_t> CycleGraph::topological_order() const {
    std::vector<uint32_t> open(size()), order;
    order.reserve(size());
    for (uint32_t vertex = 0; vertex < size(); ++vertex) {
        open[vertex] = uint32_t(uses(vertex).size());
        if (open[vertex] == 0) order.push_back(vertex);
    }
    for (size_t i = 0; i < order.size(); ++i)
        for (uint32_t user : users(order[i]))
            if (--open[user] == 0) order.push_back(user);
    return order;
}

}  // namespace partita
