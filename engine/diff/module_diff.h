// The differences between two modules: operators added, removed and changed. Works for two files, two versions of one
// file, two stages of the flow and two placements.
//
// Nodes are matched by structure and name in three steps. The first uses hashes of all that a node computes (bottom-up)
// and of all that uses it (top-down), as tree and DAG differencing does (Chawathe et al., "Change detection in
// hierarchically structured information", 1996; Cobéna et al., "Detecting changes in XML documents", 2002). The second
// goes outward from matched nodes along equal edges. The third pairs the rest by the order of the operators in both.
// Annotations, functions called once, let-bound names and projections of known tuples do not count.
//
// Near linear: each step is a walk with hash tables, or bounded. Needs about 150 bytes for each expression.
#pragma once

#include <string>
#include <vector>

#include "engine/blocks/module_blocks.h"
#include "engine/ir/module.h"
#include "engine/support/sentence.h"

namespace partita {

struct NodeChange {
    ExprId before, after;
    std::vector<Sentence> what;  ///< "axis: 1 → 0"
};

struct ModuleDiff {
    std::vector<ExprId> removed;  ///< expressions of the module before, in graph order
    std::vector<ExprId> added;    ///< expressions of the module after
    std::vector<NodeChange> changed;
    std::vector<NodeChange> affected;  ///< only the type differs, due to a change elsewhere
    std::vector<std::string> functions_removed, functions_added;
    std::vector<Sentence> outputs_changed;
    size_t same = 0;                ///< matched nodes without any difference
    std::vector<ExprId> after_of;   ///< by ExprId before: its match; invalid: none
    std::vector<ExprId> before_of;  ///< by ExprId after
    ModuleBlocks blocks_before,
        blocks_after;  ///< also of a module that is partitioned: as if its functions were inlined

    /// Returns whether no operator differs. Functions make no difference: a partitioned module is the same graph.
    bool identical() const {
        return removed.empty() && added.empty() && changed.empty() && affected.empty() && outputs_changed.empty();
    }
};

ModuleDiff diff_modules(const Module& before, const Module& after);

}  // namespace partita
