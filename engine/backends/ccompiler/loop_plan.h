// Groups the steps of a region into loops, and gives each value that outlives its loop its memory: what the C source
// is written from.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/program/flat_graph.h"

namespace partita {

/// Steps that become one function of the source.
struct CLoop {
    bool elementwise = false;
    TypeId shape;  ///< a type of the loop's shape, if elementwise
    std::vector<uint32_t> steps;
};

struct CLoopPlan {
    static constexpr uint32_t kNone = UINT32_MAX;

    std::vector<CLoop> loops;  ///< in the order in which they run
    // By value:
    std::vector<ValueId> memory_of;   ///< the value in whose memory it is: another one if its step only renames bytes
    std::vector<uint32_t> loop_of;    ///< the loop that makes it; kNone if none does
    std::vector<uint32_t> output_of;  ///< the output that it is written to; kNone: the workspace, or no memory
    std::vector<bool> stored;         ///< whether it is in memory at all
    std::vector<size_t> offset;       ///< in the workspace
    std::vector<std::pair<uint32_t, ValueId>> copies;  ///< outputs that are copied from a value at the end
    size_t workspace_bytes = 0;
};

/// Every value of the graph has a shape that is known.
CLoopPlan plan_loops(const TypeTable& types, const FlatGraph& graph);

}  // namespace partita
