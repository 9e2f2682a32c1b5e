// Decides which regions merge where TVM's algorithm would make regions depend on each other: a producer P merges into R
// unless another path leads from P to R through something else.
//
// Works on the vertices of cycles only (DependenceGraph::cycles); a path between two of them never leaves the cycle's
// strongly connected component. Keeps a topological order of the contracted graph while it merges, so that the search
// for a path is bounded to what lies between P and R in that order, as in Pearce and Kelly (ACM JEA 11, 2006). The
// search alternates between both sides and ends when the smaller side is exhausted; only that side is moved in the
// order, which an OrderedList makes possible (the two-way search of Bender, Fineman, Gilbert and Tarjan, ACM
// Transactions on Algorithms 12, 2016).
#pragma once

#include <functional>
#include <memory>

#include "engine/passes/cycle_graph.h"
#include "engine/passes/ordered_list.h"
#include "engine/passes/region_merger.h"
#include "engine/passes/two_way_search.h"

namespace partita {

class AcyclicMerger {
public:
    /// `regions` are as annotated, except that regions outside the cycles may be united already. `graph` is built from
    /// the cyclic regions, `order` is the graph order of all expressions; `cycles` are its components. `decisions` may
    /// be null.
    AcyclicMerger(RegionSet& regions, MarkReader& reader, const DependenceGraph& graph, std::span<const ExprId> order,
                  std::span<const std::vector<uint32_t>> cycles, std::vector<MergeDecision>* decisions);

    /// The reason that forbids a merge, with its sentence; Merged: the merge is allowed.
    struct Verdict {
        DecisionKind kind = DecisionKind::Merged;
        Sentence detail;
    };
    using Allowed = std::function<Verdict(int32_t producer, int32_t region)>;

    /// Visits the regions of the cycles in the given order and skips others. Leaves regions that depend on themselves
    /// as annotated unchanged.
    void run(std::span<const int32_t> regions_in_order, const Allowed& allowed);

    /// Returns whether a region (as annotated) belongs to a cycle.
    bool holds(int32_t region) const { return graph_.vertex_of_region(region) != kNo; }

private:
    static constexpr uint32_t kNo = CycleGraph::kNo;

    using Side = TwoWaySearch::Side;
    using Step = TwoWaySearch::Step;
    /// The next edge of a side: a member of the vertex, and the number of its edge.
    struct Cursor {
        uint32_t member = kNo;
        uint32_t edge = 0;
    };

    void order_vertices();

    uint32_t find(uint32_t vertex) {
        while (parent_[vertex] != vertex) vertex = parent_[vertex] = parent_[parent_[vertex]];
        return vertex;
    }
    void try_to_merge(int32_t producer, int32_t region, const Allowed& allowed);
    bool search(uint32_t producer, uint32_t region);
    Step step(Side& side, Side& other, uint32_t start, uint32_t goal);
    void merge_behind(uint32_t producer, uint32_t region);
    void merge_before(uint32_t producer, uint32_t region);
    void contract(uint32_t producer, uint32_t region);
    std::vector<uint32_t> sorted_reached(const Side& side) const;

    RegionSet& regions_;
    MarkReader& reader_;
    const CycleGraph graph_;
    std::vector<MergeDecision>* decisions_;
    std::vector<uint32_t> parent_, next_member_, last_member_;
    std::vector<bool> ordered_;  ///< false if it depends on itself as annotated
    std::unique_ptr<OrderedList> order_;
    std::unique_ptr<TwoWaySearch> search_;
    Cursor forward_, backward_;
    std::vector<ExprId> path_;
};

}  // namespace partita
