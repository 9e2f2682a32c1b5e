// What ONNX Runtime 1.30 divides: each provider in order, CPU left out. A provider that compiles gets groups of nodes
// by the utility CreateSupportedPartitionNodeGroups (onnxruntime/core/providers/partitioning_utils.cc:93-256), in
// waves; each group becomes one node before the next provider is asked (framework/graph_partitioner.cc:603, 735-775). A
// provider of kernels takes nodes one by one.
//
// In closed form, group k of a provider holds the supported nodes with w = k, where w(n) = max over predecessors p of
// w(p) + 1 if p is supported and n is not, else w(p). The waves are played here all the same, since their order is the
// order inside a group. Linear for each provider, but for sorting the edges of each node.
#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "engine/partitioners/partitioner.h"
#include "engine/partitioners/resource_budget.h"
#include "engine/support/visiting_order.h"

namespace partita {

namespace {

/// A node as the runtime sees it: of the file, or a group that a provider compiled. Its index is its place in the list.
struct Vertex {
    std::vector<GraphValueId> inputs, outputs;
    NodeId node;  ///< invalid for a compiled group
    NodeId first = node;
    bool taken = false;
    bool gone = false;  ///< compiled into another
};

/// An edge to a user: by node, then by output and input, as the runtime sorts them.
struct Edge {
    uint32_t to;
    uint32_t output, input;
    auto operator<=>(const Edge&) const = default;
};

class Session {
public:
    Session(const PartitionerInput& input, ResourceBudget budget)
        : input_(input), budget_(std::move(budget)), is_output_(input.graph.values.size()),
          is_behind_stop_(input.graph.nodes.size()) {
        for (const PlainNode& node : input.graph.nodes)
            vertices_.push_back({node.inputs, node.outputs, NodeId(uint32_t(vertices_.size()))});
        for (GraphValueId output : input.graph.outputs) is_output_[output.value] = true;
        find_stops();
    }

    Division divide() {
        for (const Verdicts::OfBackend& provider : input_.verdicts.backends) {
            link();
            if (takes_single_nodes(provider.name)) take_single_nodes(provider);
            else compile(provider);
        }
        note_borders(input_, division_, [this](NodeId, NodeId to) { return why_apart(to); });
        return std::move(division_);
    }

private:
    /// Groups of a provider differ in the number of changes from taken to not taken on the way to their nodes; the way
    /// to `to` has one more than that to `from`.
    DivisionNote why_apart(NodeId to) const {
        DivisionNote note;
        const int provider = input_.verdicts.first(to);
        if (provider >= 0 && takes_single_nodes(input_.verdicts.backends[size_t(provider)].name)) {
            note.form = SENTENCE("Engine", "the provider takes single nodes, without groups");
        } else if (const auto between = between_.find(to); between != between_.end()) {
            note.form = SENTENCE("Engine",
                                 "they are in different waves of the provider: %1 comes after %2, which the provider "
                                 "does not take and which uses %3 of an earlier group");
            note.named = {to, between->second.second, between->second.first};
        }
        return note;
    }

    /// Finds the edges of the graph as it is now.
    void link() {
        edges_.assign(vertices_.size(), {});
        edges_in_.assign(vertices_.size(), {});
        std::vector<std::pair<uint32_t, uint32_t>> producer(input_.graph.values.size(), {UINT32_MAX, 0});
        for (uint32_t i = 0; i < vertices_.size(); ++i)
            for (uint32_t k = 0; !vertices_[i].gone && k < vertices_[i].outputs.size(); ++k)
                if (const GraphValueId id = vertices_[i].outputs[k]; id.valid()) producer[id.value] = {i, k};
        for (uint32_t i = 0; i < vertices_.size(); ++i) {
            for (uint32_t k = 0; !vertices_[i].gone && k < vertices_[i].inputs.size(); ++k) {
                const GraphValueId id = vertices_[i].inputs[k];
                if (!id.valid() || producer[id.value].first == UINT32_MAX) continue;
                edges_[producer[id.value].first].push_back({i, producer[id.value].second, k});
                edges_in_[i].push_back(producer[id.value].first);
            }
        }
        for (std::vector<Edge>& edges : edges_) std::sort(edges.begin(), edges.end());
        for (std::vector<uint32_t>& from : edges_in_) std::sort(from.begin(), from.end());
    }

    std::vector<uint32_t> view_order() const {
        std::vector<uint32_t> leaves;
        for (uint32_t i = 0; i < vertices_.size(); ++i)
            if (!vertices_[i].gone && edges_[i].empty()) leaves.push_back(i);
        return visiting_order(edges_in_, leaves);
    }

    /// Returns whether a name is in the list that an option gives.
    bool lists(std::string_view option, std::string_view name) const {
        std::string_view list = input_.option(option);
        while (!list.empty()) {
            const size_t comma = std::min(list.find(','), list.size());
            if (list.substr(0, comma) == name) return true;
            list.remove_prefix(std::min(comma + 1, list.size()));
        }
        return false;
    }
    bool takes_single_nodes(const std::string& provider) const { return lists("kernel", provider); }

    bool supports(const Verdicts::OfBackend& provider, const Vertex& vertex) const {
        return vertex.node.valid() && !vertex.taken && !is_behind_stop_[vertex.node.value] &&
               provider.takes[vertex.node.value];
    }

    /// partitioning_utils.cc:259.
    void find_stops() {
        std::vector<NodeId> found;
        for (uint32_t i = 0; i < input_.graph.nodes.size(); ++i)
            if (lists("stop", input_.graph.nodes[i].op)) found.emplace_back(i), is_behind_stop_[i] = true;
        while (!found.empty()) {
            const NodeId at = found.back();
            found.pop_back();
            for (NodeId user : input_.links.behind(at))
                if (!is_behind_stop_[user.value]) found.push_back(user), is_behind_stop_[user.value] = true;
        }
    }

    bool is_within_budget(const Verdicts::OfBackend& provider, const std::vector<uint32_t>& group) {
        if (provider.name != "CUDAExecutionProvider") return true;
        std::vector<NodeId> nodes;
        for (uint32_t at : group) nodes.push_back(vertices_[at].node);
        if (budget_.take(input_.graph, nodes)) return true;
        for (NodeId node : nodes) {
            DivisionNote note;
            note.subject = node;
            note.form = kBudgetEnds;
            division_.notes.push_back(std::move(note));
        }
        return false;
    }

    void take_single_nodes(const Verdicts::OfBackend& provider) {
        for (uint32_t at : view_order()) {
            if (!supports(provider, vertices_[at]) || !is_within_budget(provider, {at})) continue;
            vertices_[at].taken = true;
            add_region(provider.name, {at});
        }
    }

    const std::string& op(uint32_t vertex) const {
        static const std::string compiled;
        const NodeId node = vertices_[vertex].node;
        return node.valid() ? input_.graph[node].op : compiled;
    }
    bool is_op(uint32_t vertex, std::string_view name) const { return op(vertex) == name; }

    /// A node of which every input that is no constant is dequantized and every output quantized, each for it alone, is
    /// asked for in one with those (core/framework/node_unit.cc). `unit_of_` gets the node for all members. A Clip that
    /// the quantization makes needless joins its unit in the runtime, too; whether it is needless hangs on weights.
    void find_units() {
        unit_of_.resize(vertices_.size());
        members_.assign(vertices_.size(), {});
        for (uint32_t i = 0; i < vertices_.size(); ++i) unit_of_[i] = i, members_[i] = {i};
        if (input_.option("units") != "yes") return;
        for (uint32_t i = 0; i < vertices_.size(); ++i) {
            if (vertices_[i].gone || is_op(i, "QuantizeLinear") || is_op(i, "DequantizeLinear")) continue;
            std::vector<uint32_t> members = edges_in_[i];
            const auto of_it_alone = [&](uint32_t from) {
                return is_op(from, "DequantizeLinear") && edges_[from].size() == 1;
            };
            const bool all_are_made =
                std::all_of(vertices_[i].inputs.begin(), vertices_[i].inputs.end(), [this](GraphValueId input) {
                    const PlainValue* value = input.valid() ? &input_.graph[input] : nullptr;
                    return !value || value->constant || value->producer.valid();
                });
            if (members.empty() || edges_[i].empty() || !all_are_made ||
                !std::all_of(members.begin(), members.end(), of_it_alone))
                continue;
            const bool is_result = std::any_of(vertices_[i].outputs.begin(), vertices_[i].outputs.end(),
                                               [this](GraphValueId id) { return id.valid() && is_output_[id.value]; });
            members.push_back(i);
            for (const Edge& edge : edges_[i]) members.push_back(edge.to);
            if (is_result || !std::all_of(edges_[i].begin(), edges_[i].end(),
                                          [this](const Edge& edge) { return is_op(edge.to, "QuantizeLinear"); }))
                continue;
            for (uint32_t member : members) unit_of_[member] = i;
            members_[i] = std::move(members);
        }
    }

    void compile(const Verdicts::OfBackend& provider) {
        find_units();
        for (const std::vector<uint32_t>& group : waves(provider)) {
            // qnn_execution_provider.cc:1126
            const bool changes_form = is_op(group[0], "QuantizeLinear") || is_op(group[0], "DequantizeLinear");
            if (group.size() == 1 && changes_form && provider.name.starts_with("QNN")) continue;
            if (!is_within_budget(provider, group)) continue;
            Vertex made;
            made.first = vertices_[group.front()].first;
            std::tie(made.inputs, made.outputs) = add_region(provider.name, group);
            made.taken = true;
            for (uint32_t member : group) vertices_[member].gone = true;
            vertices_.push_back(std::move(made));
        }
    }

    /// On the way to a vertex: how often a node that is taken is followed by one that is not, and the last such pair.
    struct Way {
        size_t changes = 0;
        NodeId taken, refused;
    };

    /// The utility. A node that is not supported is put aside if it uses the current group, until the group is closed:
    /// which is when nothing else is left to look at.
    std::vector<std::vector<uint32_t>> waves(const Verdicts::OfBackend& provider) {
        std::vector<size_t> waiting(vertices_.size());
        std::deque<uint32_t> queue;
        for (uint32_t at : view_order()) {
            if (unit_of_[at] != at) continue;
            for (uint32_t member : members_[at])
                for (uint32_t from : edges_in_[member]) waiting[at] += unit_of_[from] != at;
            if (waiting[at] == 0) queue.push_back(at);
        }
        std::vector<std::vector<uint32_t>> groups;
        std::vector<uint32_t> group, put_aside;
        std::vector<size_t> border(vertices_.size());  // the number of the group, from 1, that the vertex uses
        std::vector<Way> ways(vertices_.size());
        for (size_t current = 1; !queue.empty() || !put_aside.empty();) {
            if (queue.empty()) {
                if (!group.empty()) groups.push_back(std::exchange(group, {}));
                ++current;
                queue.assign(put_aside.begin(), put_aside.end());
                put_aside.clear();
            }
            const uint32_t at = queue.front();
            queue.pop_front();
            const bool supported = supports(provider, vertices_[at]);
            if (!supported && border[at] == current) {
                put_aside.push_back(at);
                continue;
            }
            if (supported) group.insert(group.end(), members_[at].begin(), members_[at].end()), border[at] = 0;
            if (supported && ways[at].changes) between_[vertices_[at].node] = {ways[at].taken, ways[at].refused};
            for (uint32_t member : members_[at]) {
                for (const Edge& edge : edges_[member]) {
                    const uint32_t to = unit_of_[edge.to];
                    if (to == at) continue;
                    const Vertex& user = vertices_[to];
                    const bool changes = supported && !supports(provider, user);
                    const Way way = changes ? Way{ways[at].changes + 1, vertices_[at].first, user.first} : ways[at];
                    if (way.changes > ways[to].changes) ways[to] = way;
                    if (supported) border[to] = current;
                    if (--waiting[to] == 0) queue.push_back(to);
                }
            }
        }
        if (!group.empty()) groups.push_back(std::move(group));
        return groups;
    }

    using Boundary = std::pair<std::vector<GraphValueId>, std::vector<GraphValueId>>;

    /// Adds a region with the inputs and outputs of the fused node: inputs in the order of their first use; outputs in
    /// the order in which they are made, of a node first those of the graph.
    Boundary add_region(const std::string& provider, const std::vector<uint32_t>& group) {
        DividedRegion region;
        region.backend = provider;
        std::vector<uint32_t> members(group);
        std::sort(members.begin(), members.end());
        std::vector<bool>& made = marked_;
        made.resize(input_.graph.values.size());
        std::vector<GraphValueId> marks;
        const auto add = [&](std::vector<GraphValueId>& list, GraphValueId id) {
            if (!id.valid() || made[id.value]) return;
            made[id.value] = true;
            marks.push_back(id);
            list.push_back(id);
        };
        std::vector<GraphValueId> inner;
        for (uint32_t at : group) {
            region.nodes.push_back(vertices_[at].node);
            for (GraphValueId input : vertices_[at].inputs)
                if (keeps_constants_ || !input.valid() || !input_.graph[input].constant) add(region.inputs, input);
            for (GraphValueId output : vertices_[at].outputs) add(inner, output);
        }
        for (GraphValueId id : marks) made[id.value] = false;
        marks.clear();
        for (uint32_t at : group) {
            for (GraphValueId output : vertices_[at].outputs)
                if (output.valid() && is_output_[output.value]) add(region.outputs, output);
            for (const Edge& edge : edges_[at])
                if (!std::binary_search(members.begin(), members.end(), edge.to))
                    add(region.outputs, vertices_[at].outputs[edge.output]);
        }
        for (GraphValueId id : marks) made[id.value] = false;
        Boundary boundary{region.inputs, region.outputs};
        division_.regions.push_back(std::move(region));
        return boundary;
    }

    const PartitionerInput& input_;
    ResourceBudget budget_;
    const bool keeps_constants_ = input_.option("constants") == "keep";
    std::vector<bool> is_output_;       ///< by value
    std::vector<bool> is_behind_stop_;  ///< by node
    std::vector<Vertex> vertices_;
    std::vector<std::vector<Edge>> edges_;         ///< by vertex: to its users
    std::vector<std::vector<uint32_t>> edges_in_;  ///< by vertex: one for each use of a value that a vertex makes
    std::vector<uint32_t> unit_of_;                ///< by vertex: that is asked for it
    std::vector<std::vector<uint32_t>> members_;   ///< by such a vertex: of its unit, in order
    std::vector<bool> marked_;
    std::unordered_map<NodeId, std::pair<NodeId, NodeId>> between_;  ///< by member of a later group: see Way
    Division division_;
};

}  // namespace

Result<Division> divide_as_onnxruntime(const PartitionerInput& input) {
    Result<ResourceBudget> budget = ResourceBudget::read(input.option("budget"));
    if (!budget) return budget.error();
    return Session(input, std::move(*budget)).divide();
}

}  // namespace partita
