#include "engine/partitioners/fx_graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace partita {

class FxGraphBuilder {
public:
    FxGraphBuilder(const Graph& graph, const NodeLinks& links)
        : graph_(graph), links_(links), maker_(graph.values.size(), UINT32_MAX) {}

    Result<FxGraph> build() {
        Result<std::vector<NodeId>> order = in_order();
        if (!order) return order.error();
        for (GraphValueId input : graph_.inputs)
            if (!graph_[input].producer.valid()) add_value(input);
        for (NodeId id : *order) add(id);
        const bool returns = std::any_of(graph_.nodes.begin(), graph_.nodes.end(),
                                         [](const PlainNode& node) { return node.op == "output"; });
        if (!returns && !graph_.outputs.empty()) {
            for (GraphValueId output : graph_.outputs) add_value(output);
            made_.nodes_.push_back({NodeId(), "output", false, false, makers(graph_.outputs), {}});
        }
        for (uint32_t i = 0; i < made_.size(); ++i)
            for (uint32_t input : made_.nodes_[i].inputs) made_.nodes_[input].users.push_back(i);
        return std::move(made_);
    }

private:
    Result<std::vector<NodeId>> in_order() const {
        std::vector<NodeId> order;
        bool runs = true;
        for (uint32_t i = 0; i < graph_.nodes.size(); ++i) {
            order.push_back(NodeId(i));
            for (NodeId before : links_.before(NodeId(i))) runs = runs && before.value < i;
        }
        if (runs) return order;
        return running_order(graph_, links_);
    }

    /// Adds the node that a given value is, unless a node of the graph makes it.
    void add_value(GraphValueId value) {
        if (graph_[value].producer.valid() || maker_[value.value] != UINT32_MAX) return;
        maker_[value.value] = made_.size();
        const bool constant = graph_[value].constant;
        made_.nodes_.push_back({NodeId(), constant ? "get_attr" : "placeholder", false, constant, {}, {}});
    }

    void add(NodeId id) {
        const PlainNode& node = graph_[id];
        for (GraphValueId input : node.inputs)
            if (input.valid()) add_value(input);
        const bool is_constant = node.op == "get_attr";
        const bool is_call = !is_constant && node.op != "placeholder" && node.op != "output";
        for (GraphValueId output : node.outputs)
            if (output.valid()) maker_[output.value] = made_.size();
        at_.resize(graph_.nodes.size());
        at_[id.value] = made_.size();
        std::vector<uint32_t> inputs = makers(node.inputs);
        for (NodeId before : node.after)
            if (std::exchange(seen_[at_[before.value]], asked_) != asked_) inputs.push_back(at_[before.value]);
        made_.nodes_.push_back({id, node.op, is_call, is_constant, std::move(inputs), {}});
    }

    std::vector<uint32_t> makers(const std::vector<GraphValueId>& values) {
        std::vector<uint32_t> list;
        seen_.resize(graph_.values.size() + graph_.nodes.size() + 1);
        ++asked_;
        for (GraphValueId value : values) {
            if (!value.valid() || maker_[value.value] == UINT32_MAX) continue;
            uint32_t& seen = seen_[maker_[value.value]];
            if (std::exchange(seen, asked_) != asked_) list.push_back(maker_[value.value]);
        }
        return list;
    }

    const Graph& graph_;
    const NodeLinks& links_;
    std::vector<uint32_t> maker_;  ///< by GraphValueId: position of the node that makes it
    std::vector<uint32_t> at_;     ///< by NodeId: position
    std::vector<uint32_t> seen_;   ///< by position: the question that met it
    uint32_t asked_ = 0;
    FxGraph made_;
};

Result<FxGraph> FxGraph::of(const Graph& graph, const NodeLinks& links) { return FxGraphBuilder(graph, links).build(); }

FxGraph FxGraph::contracted(const std::vector<std::vector<uint32_t>>& groups) const {
    if (groups.empty()) return *this;
    std::vector<uint32_t> vertex_of(size());  // by position: its own number, or behind those the group's
    for (uint32_t i = 0; i < size(); ++i) vertex_of[i] = i;
    for (size_t group = 0; group < groups.size(); ++group)
        for (uint32_t i : groups[group]) vertex_of[i] = size() + uint32_t(group);
    const uint32_t vertices = size() + uint32_t(groups.size());
    std::vector<std::vector<uint32_t>> inputs(vertices), users(vertices);
    for (uint32_t i = 0; i < size(); ++i)
        for (uint32_t input : nodes_[i].inputs)
            if (vertex_of[input] != vertex_of[i]) inputs[vertex_of[i]].push_back(vertex_of[input]);
    std::vector<uint32_t> waits(vertices), place(vertices, UINT32_MAX);
    std::set<std::pair<uint32_t, uint32_t>> ready;  // by the last position of each, which comes after what it uses
    const auto key = [&](uint32_t vertex) {
        if (vertex < size()) return vertex;
        const std::vector<uint32_t>& members = groups[vertex - size()];
        return *std::max_element(members.begin(), members.end());
    };
    size_t expected = 0;
    for (uint32_t vertex = 0; vertex < vertices; ++vertex) {
        if (vertex < size() ? vertex_of[vertex] != vertex : groups[vertex - size()].empty()) continue;
        std::sort(inputs[vertex].begin(), inputs[vertex].end());
        inputs[vertex].erase(std::unique(inputs[vertex].begin(), inputs[vertex].end()), inputs[vertex].end());
        for (uint32_t input : inputs[vertex]) users[input].push_back(vertex);
        waits[vertex] = uint32_t(inputs[vertex].size());
        if (!waits[vertex]) ready.emplace(key(vertex), vertex);
        ++expected;
    }
    FxGraph made;
    while (!ready.empty()) {
        const uint32_t vertex = ready.begin()->second;
        ready.erase(ready.begin());
        place[vertex] = made.size();
        FxNode node =
            vertex < size()
                ? nodes_[vertex]
                : FxNode{nodes_[groups[vertex - size()].front()].node, "executorch_call_delegate", true, false, {}, {}};
        node.inputs.clear();
        node.users.clear();
        for (uint32_t input : inputs[vertex]) node.inputs.push_back(place[input]);
        made.nodes_.push_back(std::move(node));
        for (uint32_t user : users[vertex])
            if (--waits[user] == 0) ready.emplace(key(user), user);
    }
    if (made.size() != expected) return *this;
    for (uint32_t i = 0; i < made.size(); ++i)
        for (uint32_t input : made.nodes_[i].inputs) made.nodes_[input].users.push_back(i);
    return made;
}

std::vector<bool> supported_by(const FxGraph& graph, const Verdicts::OfBackend& backend,
                               const std::vector<bool>& taken) {
    std::vector<bool> supported(graph.size());
    for (uint32_t i = 0; i < graph.size(); ++i)
        if (const NodeId node = graph[i].node; node.valid())
            supported[i] = backend.takes[node.value] && !taken[node.value];
    return supported;
}

std::vector<std::string_view> listed(std::string_view list) {
    std::vector<std::string_view> words;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        if (comma) words.push_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return words;
}

}  // namespace partita
