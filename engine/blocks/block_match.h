// What corresponds in blocks of one run, and how those that differ do. Blocks are lists of nodes in ascending order.
#pragma once

#include "engine/blocks/block_graph.h"

namespace partita {

using BlockNodes = std::vector<uint32_t>;

/// Returns for each block a hash that is equal where operators and wiring are, whatever their order. Inputs, weights
/// and what comes from outside a block are all the same. Linear. No node may lie in two of the blocks.
std::vector<uint64_t> block_hashes(const BlockGraph& graph, const std::vector<BlockNodes>& blocks);

/// Returns the number of a block that is like most of those with these hashes, the first of them.
size_t usual_block(const std::vector<uint64_t>& hashes);

/// Operators of one kind that a block has more than another, or fewer.
struct KindDifference {
    uint32_t kind = 0;
    int32_t more = 0;  ///< below 0: fewer

    bool operator==(const KindDifference& other) const = default;
};

/// Returns in which operators a block differs from the usual one, those of which it has more first; empty where only
/// the wiring differs. Linear but for sorting.
std::vector<KindDifference> differences(const BlockGraph& graph, const BlockNodes& usual, const BlockNodes& block);

/// Hashes of a block's nodes by what leads to them within the block, and by what they lead to.
struct BlockLooks {
    BlockLooks(const BlockGraph& graph, const BlockNodes& block);

    std::vector<uint64_t> made, used;
};

/// Says what corresponds in blocks to the usual one, which must outlive it.
class BlockMatcher {
public:
    BlockMatcher(const BlockGraph& graph, const BlockNodes& usual)
        : graph_(graph), usual_(usual), looks_(graph, usual) {}

    /// Returns for each node of a block the place in the usual one of that which corresponds to it, or -1: of the same
    /// kind, and made in the same way or used in the same way; else at the same place between such nodes. Linear but
    /// for sorting and for the number of differences.
    std::vector<int32_t> places_of(const BlockNodes& block) const;

private:
    const BlockGraph& graph_;
    const BlockNodes& usual_;
    const BlockLooks looks_;
};

}  // namespace partita
