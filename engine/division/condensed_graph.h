// A graph with each region as one group; a node of no region is a group of its own. Groups that wait for each other
// are found as strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", 1972), without
// recursion, in linear time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace partita {

class CondensedGraph {
public:
    /// `region_of` by node: below `regions`, or -1. Both must outlive this.
    CondensedGraph(const NodeLinks& links, std::span<const int32_t> region_of, size_t regions);

    /// Returns the sets of groups that wait for each other: of two or more groups, sorted, in the order of their first.
    const std::vector<std::vector<uint32_t>>& entangled() const { return entangled_; }
    /// Returns a shortest cycle from the first region of such a set back to it, as nodes of which each waits for the
    /// one before or is of its group.
    std::vector<NodeId> cycle(const std::vector<uint32_t>& entangled) const;
    /// Returns the group of a node: its region, or its number behind those of the regions.
    uint32_t group(NodeId node) const {
        return region_of_[node.value] >= 0 ? uint32_t(region_of_[node.value]) : regions_ + node.value;
    }
    std::span<const NodeId> nodes(uint32_t group) const {
        return {nodes_.data() + begin_[group], begin_[group + 1] - begin_[group]};
    }

private:
    class Components;

    const NodeLinks& links_;
    std::span<const int32_t> region_of_;
    uint32_t regions_;
    std::vector<uint32_t> begin_;  ///< by group, into nodes_
    std::vector<NodeId> nodes_;
    std::vector<std::vector<uint32_t>> entangled_;
};

}  // namespace partita
