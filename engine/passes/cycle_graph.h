// The vertices and edges of the cycles of a DependenceGraph: what the search for paths needs, in rows of numbers. A
// path between two vertices of a cycle never leaves it, so that edges between cycles are left out.
#pragma once

#include <span>
#include <vector>

#include "engine/passes/dependence_graph.h"

namespace partita {

class CycleGraph {
public:
    static constexpr uint32_t kNo = UINT32_MAX;

    /// `graph` is built from the cyclic regions, `order` is the graph order of all expressions; `cycles` are its
    /// components.
    CycleGraph(RegionSet& regions, MarkReader& reader, const DependenceGraph& graph, std::span<const ExprId> order,
               std::span<const std::vector<uint32_t>> cycles);

    size_t size() const { return expr_of_.size(); }
    /// Returns the vertex of a region as annotated; kNo outside the cycles.
    uint32_t vertex_of_region(int32_t region) const { return vertex_of_region_[size_t(region)]; }
    /// Returns the expression, or the region's representative.
    ExprId expression(uint32_t vertex) const { return expr_of_[vertex]; }
    uint32_t cycle(uint32_t vertex) const { return cycle_of_[vertex]; }
    std::span<const uint32_t> uses(uint32_t vertex) const { return uses_.of(vertex); }
    std::span<const uint32_t> users(uint32_t vertex) const { return users_.of(vertex); }
    /// Returns the vertices with those that they use before them; those that depend on themselves are left out.
    std::vector<uint32_t> topological_order() const;

private:
    /// Lists of neighbours: those of vertex v are list[begin[v] .. begin[v + 1]).
    struct Rows {
        std::vector<uint32_t> begin, list;

        std::span<const uint32_t> of(uint32_t vertex) const {
            return {list.data() + begin[vertex], begin[vertex + 1] - begin[vertex]};
        }
    };

    static Rows rows(size_t vertices, std::span<const std::pair<uint32_t, uint32_t>> edges, bool reversed);
    uint32_t vertex_for(RegionSet& regions, MarkReader& reader, ExprId id, uint32_t cycle);

    std::vector<uint32_t> vertex_of_region_;
    std::vector<ExprId> expr_of_;     ///< by vertex
    std::vector<uint32_t> cycle_of_;  ///< by vertex
    Rows uses_, users_;
};

}  // namespace partita
