// What ExecuTorch's GroupBasedPartitioner divides (exir/backend/canonical_partitioners/group_partitioner.py, cff6f4d):
// from the last node on a partition for each group, or for each node that is in none; then each is merged with each
// later one, unless a path leaves the two and returns. That is asked of nodes: groups that are not convex, and others
// that are merged already, may make a division that is not sound.
//
// XNNPACK's partitioner (config_partitioner.py:199) makes the groups itself: a node that has a configuration, with what
// it is quantized from and to and an activation behind it; those that share a node are one.
#include <algorithm>
#include <map>
#include <utility>

#include "engine/partitioners/fx_proposal.h"
#include "engine/partitioners/given.h"
#include "engine/support/disjoint_sets.h"
#include "engine/support/file.h"
#include "engine/support/json_reader.h"

namespace partita {

namespace {

using Group = std::vector<NodeId>;

/// A JSON list of lists of nodes.
Result<std::vector<Group>> read_groups(const Graph& graph, const std::string& file) {
    if (file.empty()) return std::vector<Group>();
    Result<std::string> text = read_file(file);
    Result<JsonValue> json = text ? read_json(*text, file) : text.error();
    const auto in_file = [&](Diagnostic fault) {
        fault.file = file;
        return fault;
    };
    if (!json) return in_file(json.error());
    const NodeNames names(graph);
    std::vector<Group> groups;
    for (const JsonValue& item : json->items) {
        if (!item.is(JsonValue::Kind::Array)) return in_file(error("a group is a list of nodes", item.position));
        groups.emplace_back();
        for (const JsonValue& name : item.items) {
            Result<std::vector<NodeId>> found = names.find(name);
            if (!found) return in_file(found.error());
            groups.back().insert(groups.back().end(), found->begin(), found->end());
        }
    }
    if (!json->is(JsonValue::Kind::Array)) return in_file(error("groups are a list of lists of nodes", json->position));
    return groups;
}

class GroupMerger {
public:
    GroupMerger(const FxGraph& graph, const std::vector<int32_t>& group_of, const std::vector<bool>& supported)
        : graph_(graph), group_of_(group_of), supported_(supported), of_(graph.size(), -1) {}

    Result<FxProposal> propose(const CancelToken& cancel) {
        if (std::all_of(group_of_.begin(), group_of_.end(), [](int32_t group) { return group < 0; }))
            place_single_nodes();
        else if (Status merged = merge_groups(cancel); !merged) return merged.error();
        move_results();
        FxProposal proposal;
        for (std::vector<uint32_t>& nodes : partitions_) {
            if (nodes.empty()) continue;
            std::sort(nodes.begin(), nodes.end());
            proposal.partitions.push_back({std::move(nodes)});
        }
        find_returning_paths(graph_, proposal);
        return proposal;
    }

private:
    /// Without groups each node, from the last on, goes to the first partition that it may be merged with: one of which
    /// no user outside it is before. Who is before a partition is before all that were made earlier, since what is in
    /// it did not go there; so the last one that a node is before says all.
    void place_single_nodes() {
        std::vector<int32_t> last_behind(graph_.size(), -1);
        std::vector<int32_t> reached, of_users;
        for (uint32_t node = graph_.size(); node-- > 0;) {
            reached.clear();
            of_users.clear();
            for (uint32_t user : graph_[node].users) {
                reached.push_back(last_behind[user]);
                if (of_[user] >= 0 && of_[user] <= last_behind[user]) of_users.push_back(of_[user]);
                last_behind[node] = std::max({last_behind[node], last_behind[user], of_[user]});
            }
            if (!supported_[node]) continue;
            std::sort(reached.begin(), reached.end());
            std::sort(of_users.begin(), of_users.end());
            // All users that are before a partition are in it, or none is.
            of_[node] = reached.empty() ? 0 : reached.back() + 1;
            for (auto at = of_users.begin(); at != of_users.end();) {
                const auto end = std::upper_bound(at, of_users.end(), *at);
                if (end - at == reached.end() - std::lower_bound(reached.begin(), reached.end(), *at)) {
                    of_[node] = *at;
                    break;
                }
                at = end;
            }
            partitions_.resize(std::max(partitions_.size(), size_t(of_[node]) + 1));
            partitions_[size_t(of_[node])].push_back(node);
        }
    }

    Status merge_groups(const CancelToken& cancel) {
        make_partitions();
        for (size_t i = 0; i < partitions_.size(); ++i) {
            if (cancel.cancelled()) return error("cancelled");
            if (partitions_[i].empty()) continue;
            start(i);
            for (size_t j = i + 1; j < partitions_.size(); ++j)
                if (!partitions_[j].empty() && !may_not_merge(i, j)) merge(i, j);
        }
        return Nothing();
    }

    void make_partitions() {
        std::vector<std::vector<uint32_t>> members;
        for (uint32_t node = 0; node < graph_.size(); ++node) {
            if (group_of_[node] < 0 || !supported_[node]) continue;
            members.resize(std::max(members.size(), size_t(group_of_[node]) + 1));
            members[size_t(group_of_[node])].push_back(node);
        }
        for (uint32_t node = graph_.size(); node-- > 0;) {
            if (!supported_[node] || of_[node] >= 0) continue;
            partitions_.push_back(group_of_[node] < 0 ? std::vector{node} : members[size_t(group_of_[node])]);
            for (uint32_t member : partitions_.back()) of_[member] = int32_t(partitions_.size()) - 1;
        }
        for (size_t id = 0; id < partitions_.size(); ++id)
            is_convex_.push_back(partitions_[id].size() == 1 || !returns(id, id));
    }

    /// Whether a path leaves the two and returns. Between two that no path leaves and returns to, it would lead from
    /// one to the other: its last node but one is behind one and used by the other, or the other way round.
    bool may_not_merge(size_t into, size_t other) {
        if (!is_convex_[into] || !is_convex_[other]) return returns(into, other);
        const auto is_outside = [&](uint32_t node) {
            return of_[node] != int32_t(into) && of_[node] != int32_t(other);
        };
        for (uint32_t node : partitions_[other]) {
            for (uint32_t from : graph_[node].inputs)
                if (behind_[from] == round_ && is_outside(from)) return true;
            for (uint32_t user : graph_[node].users)
                if (before_[user] == round_ && is_outside(user)) return true;
        }
        return false;
    }

    bool returns(size_t a, size_t b) const {
        const auto inside = [&](uint32_t node) { return of_[node] == int32_t(a) || of_[node] == int32_t(b); };
        std::vector<uint32_t> users;
        for (size_t id : a == b ? std::vector{a} : std::vector{a, b})
            for (uint32_t node : partitions_[id])
                for (uint32_t user : graph_[node].users)
                    if (!inside(user)) users.push_back(user);
        return graph_.reaches(users, false, inside);
    }

    void start(size_t into) {
        ++round_;
        behind_.resize(graph_.size());
        before_.resize(graph_.size());
        mark(partitions_[into]);
    }

    /// Marks what is behind and before nodes of the partition that grows.
    void mark(std::vector<uint32_t> nodes) {
        const auto spread = [this](std::vector<uint32_t> queue, std::vector<uint32_t>& met,
                                   std::vector<uint32_t> FxNode::*along) {
            for (size_t i = 0; i < queue.size(); ++i)
                for (uint32_t next : graph_[queue[i]].*along)
                    if (std::exchange(met[next], round_) != round_) queue.push_back(next);
        };
        spread(nodes, behind_, &FxNode::users);
        spread(std::move(nodes), before_, &FxNode::inputs);
    }

    void merge(size_t into, size_t other) {
        for (uint32_t node : partitions_[other]) of_[node] = int32_t(into);
        partitions_[into].insert(partitions_[into].end(), partitions_[other].begin(), partitions_[other].end());
        is_convex_[into] = true;
        mark(std::exchange(partitions_[other], {}));
    }

    void move_results() {
        std::vector<std::pair<uint32_t, int32_t>> moves;
        for (uint32_t node = 0; node < graph_.size(); ++node) {
            const std::vector<uint32_t>& users = graph_[node].users;
            if (of_[node] < 0 ||
                !std::all_of(users.begin(), users.end(), [&](uint32_t user) { return graph_[user].is_getitem(); }))
                continue;
            for (uint32_t user : users)
                if (of_[user] >= 0 && of_[user] != of_[node]) moves.emplace_back(user, of_[node]);
        }
        for (const auto& [node, id] : moves) {
            std::erase(partitions_[size_t(of_[node])], node);
            partitions_[size_t(id)].push_back(node);
            of_[node] = id;
        }
    }

    const FxGraph& graph_;
    const std::vector<int32_t>& group_of_;  ///< by position; -1: none
    const std::vector<bool>& supported_;
    std::vector<int32_t> of_;
    std::vector<std::vector<uint32_t>> partitions_;  ///< in the order of making; empty: merged into another
    std::vector<uint32_t> behind_, before_;  ///< by position: the last round in which it was so of the one that grows
    uint32_t round_ = 0;
    std::vector<bool> is_convex_;  ///< by partition: no path leaves it and returns
};

/// Returns a group for each node that a backend takes.
std::vector<Group> configured_groups(const Graph& graph, const NodeLinks& links, const std::vector<bool>& takes) {
    const auto is = [&](NodeId node, std::string_view what) { return graph[node].op.find(what) != std::string::npos; };
    const auto only_user = [&](NodeId node, std::string_view what) {
        const std::span<const NodeId> users = links.behind(node);
        return users.size() == 1 && is(users[0], what) ? users[0] : NodeId();
    };
    std::vector<Group> groups;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        if (!takes[i]) continue;
        Group& group = groups.emplace_back(Group{NodeId(i)});
        for (NodeId input : links.before(NodeId(i)))
            if (is(input, "quantized_decomposed.dequantize")) group.push_back(input);
        if (const NodeId fused = only_user(NodeId(i), ".relu."); fused.valid()) group.push_back(fused);
        if (const NodeId quantized =
                only_user(group.size() > 1 && is(group.back(), ".relu.") ? group.back() : NodeId(i),
                          "quantized_decomposed.quantize");
            quantized.valid())
            group.push_back(quantized);
    }
    return groups;
}

/// Groups that share a node become one.
std::vector<Group> joined(const std::vector<Group>& groups, size_t nodes) {
    DisjointSets sets(nodes);
    for (const Group& group : groups)
        for (NodeId node : group) sets.join(sets.root(group[0].value), sets.root(node.value));
    std::map<uint32_t, Group> by_root;
    std::vector<bool> listed(nodes);
    for (const Group& group : groups)
        for (NodeId node : group) {
            if (!listed[node.value]) by_root[sets.root(node.value)].push_back(node);
            listed[node.value] = true;
        }
    std::vector<Group> all;
    for (auto& [_, group] : by_root) all.push_back(std::move(group));
    return all;
}

Result<Division> divide_by_groups(const PartitionerInput& input, const std::vector<Group>& groups) {
    Result<FxGraph> graph = FxGraph::of(input.graph, input.links);
    if (!graph) return graph.error();
    std::vector<int32_t> of_node(input.graph.nodes.size(), -1);
    Division division;
    for (size_t i = 0; i < groups.size(); ++i)
        for (NodeId node : groups[i]) {
            if (of_node[node.value] >= 0 && of_node[node.value] != int32_t(i)) {
                division.error = "ValueError: Node " + node_title(input.graph, node) + " exists in multiple groups.";
                return division;
            }
            of_node[node.value] = int32_t(i);
        }
    for (const Group& group : groups)
        if (group.size() == 1) of_node[group[0].value] = -1;
    FxOptions options;
    options.single_nodes = input.option("single-nodes") != "no";
    return divide_in_turns(input, *graph, [&](const FxGraph& left, const std::vector<bool>& supported) {
        std::vector<int32_t> group_of(left.size(), -1);
        for (uint32_t i = 0; i < left.size(); ++i)
            if (left[i].node.valid()) group_of[i] = of_node[left[i].node.value];
        Result<FxProposal> proposal = GroupMerger(left, group_of, supported).propose(input.cancel);
        if (proposal && !options.single_nodes)
            for (FxPartition& partition : proposal->partitions)
                partition.dropped = computing_nodes(left, partition.nodes, options) <= 1;
        return proposal;
    });
}

}  // namespace

Result<Division> divide_as_executorch_groups(const PartitionerInput& input) {
    Result<std::vector<Group>> groups = read_groups(input.graph, std::string(input.option("groups")));
    if (!groups) return groups.error();
    return divide_by_groups(input, *groups);
}

Result<Division> divide_as_xnnpack_configs(const PartitionerInput& input) {
    Verdicts verdicts = input.verdicts;
    std::vector<Group> groups;
    std::vector<bool> grouped(input.graph.nodes.size());
    for (Verdicts::OfBackend& backend : verdicts.backends) {
        std::vector<bool> takes = backend.takes;  // but for what an earlier backend has
        for (size_t i = 0; i < takes.size(); ++i) takes[i] = takes[i] && !grouped[i];
        for (Group& group : joined(configured_groups(input.graph, input.links, takes), takes.size())) {
            std::erase_if(group, [&](NodeId node) { return grouped[node.value]; });
            for (NodeId node : group) grouped[node.value] = backend.takes[node.value] = true;
            groups.push_back(std::move(group));
        }
    }
    return divide_by_groups(
        {input.graph, input.links, verdicts, input.options, input.cancel, input.backends, input.module}, groups);
}

}  // namespace partita
