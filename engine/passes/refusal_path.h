// The path of a refused merge, expression by expression. The mergers know which regions are on it; this finds the
// values that lead from each to the next, so that a step of the path is either a use of a value or a step inside one
// region.
//
// Building costs a walk over the marked module; a path then costs its length and the composites on it.
#pragma once

#include <unordered_map>

#include "engine/ir/decision_log.h"
#include "engine/ops/annotations.h"
#include "engine/passes/region_set.h"

namespace partita {

class RefusalPaths {
public:
    /// `regions` are those after all merges, `order` the graph order of all that they were built from.
    RefusalPaths(const Module& module, RegionSet& regions, const MarkReader& reader, std::span<const ExprId> order);

    /// Sets the decision's path and hops: from behind the region of `all.front()` to before that of `all.back()`,
    /// through the regions of the others.
    void write(std::span<const ExprId> all, Decision& decision);

private:
    struct Edge {
        ExprId from, to;
    };
    uint32_t place_of(ExprId id);
    const Edge* edge(ExprId from, ExprId to);
    ExprId unmarked(ExprId id) const;
    ExprId inner_user(const Edge& edge) const;
    void add(ExprId id, PathHop hop, Decision& decision) const;

    const Module& module_;
    RegionSet& regions_;
    const MarkReader& reader_;
    std::unordered_map<uint64_t, Edge> edges_;  ///< the first from one place to another
};

}  // namespace partita
