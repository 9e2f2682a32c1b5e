// Groups of nodes that a large graph is shown by: by region, by name scope, or by repeated structure; and cut into
// parts where nothing else divides it. A tree: groups hold nodes and smaller groups. Plain values, made on a worker.
//
// By name scope: numbered neighbours, as `layers.0` to `layers.31`, are a run of blocks.
//
// Repeated structure: the operators in their topological order are cut where a single value crosses (each stretch
// between two cuts has one input and one output), stretches are compared by operators and wiring, and runs of the same
// few stretches become one group: 16 times the same block of a network, or a chain of a million operators. Values that
// all blocks share, as an attention mask, would forbid every cut: those that live longest are left out of the count as
// long as that gives fewer parts.
#pragma once

#include <set>

#include "app/gui/canvas/graph_model.h"
#include "engine/session/session.h"

namespace partita {

enum class Grouping : uint8_t {
    Automatic,  ///< by scope where there are names, else by structure; none where that makes nothing easier to read
    None,
    Regions,
    Scopes,  ///< of names such as `layer1/conv2`
    Structure,
};

struct GraphGroup {
    int32_t parent = -1;
    QString title;
    QString detail;      ///< what is in it: "nn.conv2d 8, nn.relu 8"
    uint32_t first = 0;  ///< the first of its nodes
    uint32_t size = 0;   ///< nodes, those of inner groups too
    uint32_t parts = 0;  ///< nodes and groups directly in it
    uint32_t times = 0;  ///< of a run of blocks, one behind the other: their number; else 0
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
/// Estimates whether titles can be read where all of a graph is in sight in a window of usual size. Linear.
bool is_read_as_a_whole(const GraphModel& model);
/// No group has more parts than this.
inline constexpr size_t kMostParts = 200;

/// `flow` is asked for the regions only; it may be null. `full` has a node for each expression. Linear but for sorting.
/// Empty on cancel.
GroupTree make_groups(const GraphModel& full, Grouping grouping, const FlowResult* flow,
                      const CancelToken& cancel = {});
/// Returns how many nodes are shown with these groups open.
size_t shown_nodes(const GraphModel& full, const GroupTree& tree, const OpenGroups& open);
/// What is open at first: the largest groups but for runs of blocks, as long as no more than sixty nodes are shown.
OpenGroups open_at_first(const GraphModel& full, const GroupTree& tree);

/// "Block A ×12"
QString run_title(const QString& block, size_t times);

// The steps of make_groups, for tests. What they give on cancel is to be dropped.
GroupTree group_by_regions(const GraphModel& full, const FlowResult& flow);
GroupTree group_by_scopes(const GraphModel& full, const CancelToken& cancel = {});
GroupTree group_by_structure(const GraphModel& full, const CancelToken& cancel = {});
/// Puts parts of a group that has too many into groups of their own, by their order.
void limit_parts(const GraphModel& full, GroupTree& tree);

/// The model with closed groups as nodes. With nothing to close it is `full` itself.
GraphModelPtr collapse_graph(GraphModelPtr full, GroupTreePtr tree, const OpenGroups& open);

}  // namespace partita
