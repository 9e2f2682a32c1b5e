// Differences that are alike in the blocks of a deep model, as one: for lists and text.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/diff/module_diff.h"

namespace partita {

/// The lists of ModuleDiff that have operators.
enum class DiffList : uint8_t { Removed, Added, Changed, Affected };

/// One difference, or several that are alike.
struct AlikeDifferences {
    DiffList list = DiffList::Removed;
    std::vector<uint32_t> members;   ///< indices into the list, at least one
    uint32_t blocks = 0;             ///< in which they are; 0: in none
    uint32_t of = 0;                 ///< of so many in the run
    std::vector<uint32_t> block_of;  ///< by member, from 0

    bool several() const { return members.size() > 1; }
};

/// Returns all differences of operators in the order of their lists; those that are alike in at least three blocks
/// where the first of them stands.
std::vector<AlikeDifferences> alike_differences(const ModuleDiff& diff);

/// "in block 7 of 12", of one that is in a block.
Sentence place_of_member(const AlikeDifferences& differences, size_t member);
/// "in each of 12 blocks", "in 3 of 12 blocks", "in block 7 of 12"; empty for what is in no block.
Sentence place_among_blocks(const AlikeDifferences& differences);

}  // namespace partita
