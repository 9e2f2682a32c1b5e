// Decisions of a flow that are alike in the blocks of a deep model: of the same pass, kind, rule and backend, about the
// expression at the same place of each block.
#pragma once

#include <vector>

#include "engine/blocks/module_blocks.h"
#include "engine/flow/flow.h"

namespace partita {

struct AlikeSteps {
    struct Group {
        std::vector<uint32_t> decisions;  ///< indices into the log, ascending, at least three
        uint32_t blocks = 0;              ///< in which they are
        uint32_t of = 0;                  ///< of so many in the run
    };
    std::vector<Group> groups;      ///< in the order of their first decisions
    std::vector<int32_t> group_of;  ///< by decision; -1: none. Empty without groups

    bool empty() const { return groups.empty(); }
    int32_t group(size_t decision) const { return decision < group_of.size() ? group_of[decision] : -1; }
    /// Returns the first of the group of a decision, or the decision itself.
    size_t first(size_t decision) const {
        const int32_t of = group(decision);
        return of < 0 ? decision : groups[size_t(of)].decisions.front();
    }
};

/// `blocks` are those of the flow's input. Linear in the decisions.
AlikeSteps alike_steps(const FlowResult& flow, const ModuleBlocks& blocks);

}  // namespace partita
