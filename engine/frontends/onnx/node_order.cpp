#include "engine/frontends/onnx/node_order.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "engine/support/one_line.h"

namespace partita::onnx {

namespace {

using Names = std::vector<std::string_view>;
using NameSet = std::unordered_set<std::string_view>;

/// How many nodes of a cycle a message names.
constexpr size_t kMostNamed = 8;

std::string name_of(const Node& node) { return in_quotes(node.name.empty() ? node.op_type : node.name); }

/// The nodes of one graph, and the names that each uses: its inputs and what its subgraphs take from outside.
class NodeList {
public:
    NodeList(std::vector<Node>& nodes, std::vector<Names> uses) : nodes_(nodes), uses_(std::move(uses)) {
        for (size_t i = 0; i < nodes_.size(); ++i)
            for (std::string_view output : nodes_[i].outputs)
                if (!output.empty()) makers_.emplace(output, i);
    }

    Status order() {
        if (is_ordered()) return Nothing();
        for (size_t i = 0; i < nodes_.size(); ++i)
            if (Status placed = place_after_makers(i); !placed) return placed;
        std::vector<Node> ordered;
        for (size_t i : order_) ordered.push_back(std::move(nodes_[i]));
        nodes_ = std::move(ordered);
        return Nothing();
    }

private:
    enum class State : uint8_t { Unseen, Open, Placed };

    /// A node whose makers are being placed.
    struct Visit {
        size_t node;
        Names::const_iterator next;
    };

    bool is_ordered() const {
        for (size_t i = 0; i < nodes_.size(); ++i)
            for (std::string_view name : uses_[i])
                if (auto maker = makers_.find(name); maker != makers_.end() && maker->second >= i) return false;
        return true;
    }

    Status place_after_makers(size_t first) {
        std::vector<Visit> path;
        const auto open = [&](size_t node) {
            states_[node] = State::Open;
            path.push_back({node, uses_[node].begin()});
        };
        if (states_[first] == State::Unseen) open(first);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.next == uses_[visit.node].end()) {
                states_[visit.node] = State::Placed;
                order_.push_back(visit.node);
                path.pop_back();
                continue;
            }
            const auto maker = makers_.find(*visit.next++);
            if (maker == makers_.end() || states_[maker->second] == State::Placed) continue;
            if (states_[maker->second] == State::Open) return cycle(path, maker->second);
            open(maker->second);
        }
        return Nothing();
    }

    Diagnostic cycle(const std::vector<Visit>& path, size_t node) const {
        auto at = std::find_if(path.begin(), path.end(), [&](const Visit& visit) { return visit.node == node; });
        std::string text = name_of(nodes_[node]);
        for (size_t named = 1; ++at != path.end() && named < kMostNamed; ++named)
            text += ", which needs " + name_of(nodes_[at->node]);
        return error("the graph has a cycle: " + text + (at == path.end() ? "" : ", ...") + ", which needs " +
                     name_of(nodes_[node]));
    }

    std::vector<Node>& nodes_;
    const std::vector<Names> uses_;
    std::unordered_map<std::string_view, size_t> makers_;
    std::vector<State> states_ = std::vector<State>(nodes_.size(), State::Unseen);
    std::vector<size_t> order_;
};

Status order_graph(Graph& graph, Names& outside);

/// Orders the subgraphs of nodes, then the nodes. Adds to `used` what they take that is in no list of `defined`.
Status order_list(std::vector<Node>& nodes, const NameSet& defined, Names& used) {
    std::vector<Names> uses(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
        for (std::string_view input : nodes[i].inputs)
            if (!input.empty()) uses[i].push_back(input);
        for (Attribute& attribute : nodes[i].attributes)
            for (Graph& graph : attribute.graphs)
                if (Status ordered = order_graph(graph, uses[i]); !ordered) return ordered;
    }
    for (const Names& each : uses)
        for (std::string_view name : each)
            if (!defined.contains(name)) used.push_back(name);
    return NodeList(nodes, std::move(uses)).order();
}

/// The same of a graph: adds to `outside` what it takes from outside. (Graphs are nested 64 levels at most.)
Status order_graph(Graph& graph, Names& outside) {
    NameSet defined;
    for (const ValueInfo& input : graph.inputs) defined.insert(input.name);
    for (const TensorProto& initializer : graph.initializers) defined.insert(initializer.name);
    for (const Node& node : graph.nodes) defined.insert(node.outputs.begin(), node.outputs.end());
    for (const ValueInfo& output : graph.outputs)
        if (!defined.contains(output.name)) outside.push_back(output.name);
    return order_list(graph.nodes, defined, outside);
}

}  // namespace

Status order_nodes(Model& model) {
    Names outside;
    for (Function& function : model.functions)
        if (Status ordered = order_list(function.nodes, {}, outside); !ordered) return ordered;
    return order_graph(model.graph, outside);
}

}  // namespace partita::onnx
