// A model and its groups as the search for blocks sees them.
#pragma once

#include "app/gui/canvas/graph_groups.h"
#include "engine/blocks/run_blocks.h"

namespace partita {

/// Of a model's operators only the titles count.
struct BlockKinds {
    BlockGraph graph;
    std::vector<QString> titles;  ///< by kind
};
BlockKinds block_kinds(const GraphModel& model);

/// The runs of a tree with their blocks, compared with each other.
std::vector<RunBlocks> compared_runs(const BlockGraph& graph, const GroupTree& tree);

}  // namespace partita
