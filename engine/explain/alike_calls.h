// Calls by their places in the blocks of a deep model.
#pragma once

#include <span>
#include <vector>

#include "engine/blocks/module_blocks.h"
#include "engine/support/sentence.h"

namespace partita {

/// Calls at the same place of at least three blocks, or one call.
struct AlikeCalls {
    std::vector<ExprId> calls;
    uint32_t blocks = 0, of = 0;  ///< in so many of the run's blocks; 0 for one call

    bool in_each() const { return blocks > 0 && blocks == of; }
};

/// Returns all of the calls, those that are alike where the first of them stands.
std::vector<AlikeCalls> alike_calls(std::span<const ExprId> calls, const ModuleBlocks& blocks);

/// Returns "2 in each of 12 blocks, 1 more", or "in 11 of 12 blocks"; empty if none of them are alike.
Sentence spread_over_blocks(std::span<const ExprId> calls, const ModuleBlocks& blocks);

}  // namespace partita
