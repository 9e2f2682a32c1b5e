// Assigns blocks of memory, each live for a range of steps, to offsets in one arena.
//
// Best fit in the order of the steps, with free blocks joined: O(n log n). Similar to the "greedy by order" planners
// compared in Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// A block whose live range begins at step `first` (written) and ends at step `last` (last read).
struct MemoryBlock {
    size_t bytes = 0;
    uint32_t first = 0, last = 0;
};

struct MemoryPlan {
    std::vector<size_t> offsets;  ///< by block, multiples of 64
    size_t arena_bytes = 0;
    size_t block_bytes = 0;  ///< sum of all blocks: the size without sharing
};

/// A plan with what its blocks are for, in the order of the steps that run.
struct PlannedMemory {
    struct Step {
        ExprId expr;      ///< what it computes, in the compiled module; invalid for a change of layout
        uint32_t region;  ///< of a plan: index into FlatGraph::regions; else UINT32_MAX
    };
    struct Block : MemoryBlock {
        size_t offset = 0;
        uint32_t output = 0;     ///< which result of step `first` it holds
        bool workspace = false;  ///< of the region that step `first` runs, rather than a value
    };
    std::vector<Step> steps;
    std::vector<Block> blocks;  ///< in the order of `first`
};

/// Plans the arena. Blocks that are live at the same step do not overlap. `blocks` must be in ascending order of
/// `first`.
MemoryPlan plan_memory(std::span<const MemoryBlock> blocks);

}  // namespace partita
