// What is alike in blocks that come again and again: the operator that corresponds in each of them.
#pragma once

#include "app/gui/canvas/graph_groups.h"

namespace partita {

struct AlikeNodes {
    std::vector<uint32_t> nodes;  ///< of the full model, ascending: those that were given, and those like them
    uint32_t blocks = 0;          ///< that hold one of them at least; 0: no run of blocks holds what was given
    uint32_t without = 0;         ///< blocks of the same run that hold none: they differ
    uint32_t partly = 0;          ///< blocks of `blocks` that lack some of what others hold
};

/// Extends nodes to all blocks of the innermost runs that they lie in and that add something: a node's like is the
/// operator that corresponds to it by what it is made of and used for, whatever its type; blocks that differ may have
/// none. Linear in the graph but for sorting.
AlikeNodes alike_in_blocks(const GraphModel& full, const GroupTree& tree, const std::vector<uint32_t>& nodes);

}  // namespace partita
