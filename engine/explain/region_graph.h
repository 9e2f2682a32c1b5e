// A module with each region as one node. Finds a path out of one region and into another that a merge of the two would
// turn into a cycle.
//
// Building costs a walk over the module. A search alternates between both ends and visits only nodes between them in a
// topological order, so that it costs what lies between the two; all pairs of neighbours of a graph of 100,000
// expressions take well under a second. Belongs to one thread; the module must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/ir/module.h"

namespace partita {

/// Two regions of which one uses a value of the other.
struct RegionNeighbours {
    int producer = -1, consumer = -1;
    ExprId from, to;  ///< an expression of the producer, and one of the consumer that uses it: the first such pair
};

class RegionGraph {
public:
    /// `region_of` by ExprId: 0 up to `regions`, or -1.
    RegionGraph(const Module& module, std::span<const int32_t> region_of, size_t regions);

    /// Sorted by producer and consumer.
    std::span<const RegionNeighbours> neighbours() const { return neighbours_; }
    /// Returns null if the consumer uses no value of the producer.
    const RegionNeighbours* find(int producer, int consumer) const;

    /// Returns expressions from one of the producer to one of the consumer through at least one of neither; each uses
    /// the one before (a variable of `let` uses what is bound to it), or is of the same region. Empty if there is no
    /// such path.
    std::vector<ExprId> path_around(int producer, int consumer);
    /// Returns what leads from each expression of such a path to the next.
    std::vector<PathHop> hops(std::span<const ExprId> path) const;

private:
    struct Edge {
        uint32_t from_group, to_group;
        ExprId from, to;
    };
    /// Edges by one of their ends.
    struct Table {
        std::vector<uint32_t> begin;
        std::vector<uint32_t> edges;
        std::span<const uint32_t> of(uint32_t group) const {
            return {edges.data() + begin[group], begin[group + 1] - begin[group]};
        }
    };
    struct Search {
        std::vector<uint32_t> reached;  ///< by group: the number of the search that reached it
        std::vector<uint32_t> by_edge;
        std::vector<uint32_t> queue;
        size_t next = 0;
    };

    uint32_t group_of(ExprId id) const;
    void add_edge(ExprId from, ExprId to);
    Table table(bool by_source) const;
    void rank_groups();
    void collect_neighbours();
    uint32_t expand(Search& search, const Search& other, bool forward, uint32_t own_end, uint32_t other_end);
    std::vector<ExprId> path_through(uint32_t meeting, uint32_t producer, uint32_t consumer) const;

    const Module& module_;
    std::span<const int32_t> region_of_;
    uint32_t regions_;
    std::vector<Edge> edges_;  ///< between different groups, in graph order
    Table out_, in_;
    std::vector<uint32_t> rank_;  ///< by group: index in a topological order; kNoRank on a cycle
    std::vector<RegionNeighbours> neighbours_;
    Search forward_, backward_;
    uint32_t searches_ = 0;
};

}  // namespace partita
