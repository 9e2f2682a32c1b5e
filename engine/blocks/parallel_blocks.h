// Blocks side by side within a stretch: the heads of an attention layer, the experts of a mixture. Internal to this
// folder.
#pragma once

#include "engine/blocks/block_match.h"

namespace partita {

/// Returns groups of branches that are made in the same way, by the nodes of each branch, ascending: at least four of
/// at least three operators each. No value leaves the branches of a group and enters one of them again. `nodes` are
/// those of a stretch in topological order. Linear in them but for sorting.
std::vector<std::vector<BlockNodes>> find_parallel_blocks(const BlockGraph& graph, const BlockNodes& nodes);

}  // namespace partita
