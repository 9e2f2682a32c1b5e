// The blocks of each run of a group tree, as lists of operators that can be compared.
#pragma once

#include "app/gui/canvas/graph_groups.h"
#include "engine/blocks/block_match.h"

namespace partita {

/// A model as the search for blocks sees it: of its operators only the titles count.
struct BlockKinds {
    BlockGraph graph;
    std::vector<QString> titles;  ///< by kind
};
BlockKinds block_kinds(const GraphModel& model);

struct RunBlocks {
    int32_t run = -1;               ///< index of the group
    std::vector<BlockNodes> nodes;  ///< by block: its operators, those of inner groups too, without inputs and weights
    std::vector<int32_t> groups;    ///< by block: the group that it is, or -1: a single operator
    std::vector<uint64_t> hashes;   ///< by block: equal where they are alike
    size_t usual = 0;               ///< number of a block that is like most
};

class BlockLists {
public:
    /// Linear in the nodes times the depth of the groups.
    BlockLists(const GraphModel& full, const GroupTree& tree);

    const std::vector<RunBlocks>& runs() const { return runs_; }
    /// The same with hashes and usual blocks.
    std::vector<RunBlocks> hashed(const BlockGraph& graph) const;

private:
    void add(uint32_t node);
    static void choose_usual(const BlockGraph& graph, RunBlocks& run);

    const GroupTree& tree_;
    std::vector<RunBlocks> runs_;
    std::vector<int32_t> run_of_;    ///< by group: index into runs_ of the run that it is or is a part of, or -1
    std::vector<int32_t> block_of_;  ///< by group: the number of the block of a run that it is, or -1
};

}  // namespace partita
