// Places blocks of memory, each live for a span of steps, at offsets of one arena.
//
// Best fit in the order of the steps, with free blocks joined: n log n. In the manner of the "greedy by order" planners
// compared in Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace partita {

/// A block that is written at step `first` and read for the last time at step `last`.
struct MemoryBlock {
    size_t bytes = 0;
    uint32_t first = 0, last = 0;
};

struct MemoryPlan {
    std::vector<size_t> offsets;  ///< of each block, multiples of 64
    size_t arena_bytes = 0;
    size_t block_bytes = 0;  ///< the sum of all blocks: what there would be without sharing
};

/// Blocks that are live at the same step do not overlap. `blocks` must be in ascending order of `first`.
MemoryPlan plan_memory(std::span<const MemoryBlock> blocks);

}  // namespace partita
