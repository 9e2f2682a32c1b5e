// The blocks of each run in a tree of groups, as lists of operators that can be compared.
#pragma once

#include "engine/blocks/block_match.h"

namespace partita {

/// A group of a tree, as far as runs of blocks are concerned.
struct BlockGroup {
    int32_t parent = -1;   ///< index of the group it lies in, or -1
    uint32_t times = 0;    ///< of a run of blocks, their number; else 0
    bool is_part = false;  ///< some of a run that has too many blocks to be shown at once
};

struct RunBlocks {
    int32_t run = -1;               ///< index of the group
    uint32_t depth = 0;             ///< runs that it lies in
    std::vector<BlockNodes> nodes;  ///< by block: its operators, those of inner groups too, without inputs and weights
    std::vector<int32_t> groups;    ///< by block: the group that it is, or -1: a single operator
    std::vector<uint64_t> hashes;   ///< by block: equal where they are alike
    size_t usual = 0;               ///< number of a block that is like most
};

/// Returns the runs without hashes. `groups` hold parents before their children; `group_of` is by node: the innermost
/// group, or -1. Linear in the nodes times the depth of the groups.
std::vector<RunBlocks> list_run_blocks(const BlockGraph& graph, const std::vector<BlockGroup>& groups,
                                       const std::vector<int32_t>& group_of);
/// Fills hashes and usual blocks. Where hardly two blocks of a run are wired alike, as in a chain whose operators take
/// what comes, their operators count alone.
void compare_blocks(const BlockGraph& graph, std::vector<RunBlocks>& runs);

}  // namespace partita
