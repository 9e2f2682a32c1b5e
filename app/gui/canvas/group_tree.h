// Steps of making groups. Internal to this folder.
#pragma once

#include "app/gui/canvas/block_lists.h"
#include "app/gui/canvas/graph_groups.h"

namespace partita {

/// Numbers groups anew so that parents come first, and says how deep each lies.
void sort_parents_first(GroupTree& tree);
/// First node, number of nodes and of parts, from the nodes up. Parents come before their children.
void count_nodes(GroupTree& tree);
/// Scopes of one parent whose names differ in their last number, one behind the other, become a run of blocks where
/// their operators agree, too: one that differs in more than a third of them ends a run, as where dense layers are
/// followed by layers of experts.
void join_numbered_scopes(const GraphModel& full, const BlockKinds& kinds, GroupTree& tree);
/// The steps of make_groups with the kinds of the model's nodes.
GroupTree groups_of_scopes(const GraphModel& full, const BlockKinds& kinds, const CancelToken& cancel);
GroupTree groups_of_structure(const GraphModel& full, const BlockKinds& kinds, const CancelToken& cancel);
/// Says of each run how many of its blocks are alike, and in what the others differ. Linear but for sorting.
void describe_differences(const BlockKinds& kinds, GroupTree& tree, const CancelToken& cancel);

}  // namespace partita
