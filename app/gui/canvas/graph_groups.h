// Groups of nodes that a large graph is shown by: by region, by name scope, or by repeated structure; and cut into
// parts where nothing else divides it. A tree: groups hold nodes and smaller groups. Plain values, made on a worker.
//
// By name scope: numbered neighbours, as `layers.0` to `layers.31`, are a run of blocks where their operators agree.
//
// Repeated structure: as engine/blocks finds it. Of blocks that differ a little, a run says in what.
#pragma once

#include <set>

#include "app/gui/canvas/graph_model.h"
#include "app/gui/canvas/reading_room.h"
#include "engine/session/session.h"

namespace partita {

enum class Grouping : uint8_t {
    Automatic,  ///< by scope where there are names, else by structure; none where that makes nothing easier to read
    None,
    Regions,
    Scopes,  ///< of names such as `layer1/conv2`
    Structure,
};

enum class GroupForm : uint8_t {
    Named,    ///< by a name: of the file, or of a region
    Block,    ///< by structure: a block that is repeated, or a run of some
    Stretch,  ///< by structure: what lies between blocks
    Part,     ///< of what has too many parts
};

struct GraphGroup {
    int32_t parent = -1;
    QString title;
    QString detail;       ///< what is in it: "nn.conv2d 8, nn.relu 8"
    uint32_t first = 0;   ///< the first of its nodes
    uint32_t size = 0;    ///< nodes, those of inner groups too
    uint32_t parts = 0;   ///< nodes and groups directly in it
    uint32_t times = 0;   ///< of a run of blocks, one behind the other: their number; else 0
    uint32_t alike = 0;   ///< of a run: how many blocks have the same operators, wired in the same way
    uint32_t number = 0;  ///< of a block of a run: its place there, from 1 on; else 0
    /// Of a run whose blocks differ: "11 alike; layers.0: 1 more cast". Of a block that differs from most: "1 more
    /// cast".
    QString difference;
    GroupForm form = GroupForm::Named;
    uint8_t depth = 0;
};

struct GroupTree {
    std::vector<GraphGroup> groups;  ///< parents before their children
    std::vector<int32_t> group_of;   ///< by node of the full model: the innermost group, or -1

    bool empty() const { return groups.empty(); }
};
using GroupTreePtr = std::shared_ptr<const GroupTree>;

/// Groups that are open, by a key that stays the same when the groups are made anew from the same module.
using OpenGroups = std::set<quint64>;
quint64 group_key(const GraphModel& full, const GraphGroup& group);

/// A graph with more nodes than this is shown by groups unless the person wants it otherwise.
inline constexpr size_t kLargestPlainGraph = 4000;
/// A graph with no more nodes than this is shown as it is; one between is grouped if it can't be read where all of it
/// is in sight, and few nodes are left to show.
inline constexpr size_t kLargestReadGraph = 100;
/// Estimates whether a graph can be read where all of it is in sight. Linear.
bool is_read_as_a_whole(const GraphModel& model, const ReadingRoom& room = {});
/// No more nodes are shown at first.
inline constexpr size_t kShownAtFirst = 60;
/// No group has more parts than this.
inline constexpr size_t kMostPartsOfGroup = 200;

/// `flow` is asked for the regions only; it may be null. `full` has a node for each expression. `room` is asked by
/// automatic groups: whether the graph needs some. Linear but for sorting. Empty on cancel.
GroupTree make_groups(const GraphModel& full, Grouping grouping, const FlowResult* flow, const CancelToken& cancel = {},
                      const ReadingRoom& room = {});
/// Returns how many nodes are shown with these groups open.
size_t shown_nodes(const GraphModel& full, const GroupTree& tree, const OpenGroups& open);
/// What is open at first: what the largest run of blocks lies in; then the largest groups, as long as no more than
/// `most` nodes are shown, those of one size and title together or not at all. Runs stay closed, and what lies between
/// blocks.
OpenGroups open_at_first(const GraphModel& full, const GroupTree& tree, size_t most = kShownAtFirst);

/// What a group is called among others: "Block A · 3" of the third block of a run.
QString title_among_others(const GraphGroup& group);
/// "Block A ×12"
QString run_title(const QString& block, size_t times);
/// The name of an operator without its dialect's: "conv2d" of "nn.conv2d".
QString short_operator(const QString& title);

// The steps of make_groups, for tests. What they give on cancel is to be dropped.
GroupTree group_by_regions(const GraphModel& full, const FlowResult& flow);
GroupTree group_by_structure(const GraphModel& full, const CancelToken& cancel = {});
/// Puts parts of a group that has too many into groups of their own, by their order.
void limit_parts(const GraphModel& full, GroupTree& tree);

/// The model with closed groups as nodes. With nothing to close it is `full` itself.
GraphModelPtr collapse_graph(GraphModelPtr full, GroupTreePtr tree, const OpenGroups& open);

}  // namespace partita
