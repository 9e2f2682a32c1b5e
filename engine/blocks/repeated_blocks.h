// Blocks that come again and again, found in a graph by its structure alone: the layers of a network, one behind the
// other.
//
// The operators in their topological order are cut where a single value crosses (each stretch between two cuts has one
// input and one output), stretches are compared by operators and wiring, and runs of the same few stretches become one:
// 16 times the same block of a network, or a chain of a million operators. Values that all blocks share, as an
// attention mask, would forbid every cut: those that live longest are left out of the count as long as that gives fewer
// parts. Where a run may begin in several places it begins where the value that enters a block lives longest: that is
// the input of the residual connection.
//
// A run goes on over a block that differs a little: in an operator of eight, at least in one, as layers differ by a
// cast or a dropout; blocks of fewer than five operators must be the same. A block with a shortcut of its own, which
// begins a stage of a residual network, differs in more and stays a block of another kind.
//
// Linear in the graph but for sorting.
#pragma once

#include <algorithm>
#include <string>

#include "engine/blocks/block_graph.h"
#include "engine/support/cancel.h"

namespace partita {

enum class FoundForm : uint8_t {
    Block,
    Run,      ///< blocks one behind the other
    Stretch,  ///< operators between two blocks, or that make what all blocks share: comes once
};

struct FoundBlock {
    FoundForm form = FoundForm::Block;
    int32_t parent = -1;  ///< index of what it lies in, or -1
    uint32_t first = 0;   ///< the first of its nodes in the order of the search
    uint32_t last = 0;    ///< and the last
    uint32_t times = 0;   ///< of a run
    uint32_t letter = 0;  ///< of a block, and of a run's blocks: equal for those of one run; 0 is the outermost first
    bool of_operators = false;  ///< of a run: its blocks are single operators
};

struct FoundBlocks {
    std::vector<FoundBlock> blocks;  ///< parents before what lies in them, else in the order of their first nodes
    std::vector<int32_t> block_of;   ///< by node: the innermost it lies in, or -1. Inputs and weights lie in none
};

/// Empty on cancel.
FoundBlocks find_repeated_blocks(const BlockGraph& graph, const CancelToken& cancel = {});

/// Returns in how many operators a block may differ from those of its run.
inline uint32_t most_differences(uint32_t operators) {
    constexpr uint32_t kFewest = 5, kOneOf = 8;
    return operators < kFewest ? 0 : std::max(1u, operators / kOneOf);
}

/// "A" for 0, "Z" for 25, "AA" for 26.
std::string block_letter(uint32_t number);

}  // namespace partita
