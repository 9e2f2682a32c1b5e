// What LiteRT's compiler plug-ins are given (litert/compiler/plugin/algo.cc): the default algorithm cuts the order of
// the file into runs of selected operators and looks at no data (:400); the weak one joins neighbours that are both
// selected (:98), and does not ask whether the result can be run. Both are linear.
//
// The order of the file is the converter's, and another one may give fewer runs. With one backend the least number is
// found by taking all that is ready before the kind changes: whoever takes less can take it no earlier later. With
// several, orders of runs are tried breadth first, states that took the same nodes once.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "engine/partitioners/litert.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

namespace {

/// How many states of one number of runs are followed, and how many nodes they may have in all. With several backends
/// more may be needed: then the result is an order that is good, and may not be the best.
constexpr size_t kMostStates = 256, kMostNodesOfStates = 2'000'000;

/// Orders in which nodes can run, run by run.
class RunOrders {
public:
    explicit RunOrders(const PartitionerInput& input)
        : input_(input), behind_(input.graph.nodes.size()),
          most_(std::clamp<size_t>(kMostNodesOfStates / (behind_.size() + 1), 1, kMostStates)) {
        State first;
        first.taken.resize(behind_.size());
        first.waiting.resize(behind_.size());
        first.ready.resize(input.verdicts.backends.size() + 1);
        const auto wait = [&](NodeId before, NodeId node) {
            behind_[before.value].push_back(node.value);
            ++first.waiting[node.value];
        };
        bool ordered = false;
        for (uint32_t i = 0; i < behind_.size(); ++i) {
            kind_.push_back(size_t(input.verdicts.first(NodeId(i)) + 1));
            ordered = ordered || !input.graph.nodes[i].after.empty();
            for (NodeId before : input.links.before(NodeId(i))) wait(before, NodeId(i));
        }
        if (!ordered)
            for (const auto& [before, node] : litert_state_edges(input.graph)) wait(before, node);
        for (uint32_t i = 0; i < behind_.size(); ++i)
            if (!first.waiting[i]) first.ready[kind_[i]].insert(i);
        take(first, 0);
        states_.push_back(std::move(first));
    }

    /// Returns an order with the fewest runs of nodes that a backend takes; fails where nodes wait for each other.
    Result<std::vector<NodeId>> fewest() {
        for (;;) {
            for (const State& state : states_)
                if (state.order.size() == behind_.size()) return state.order;
            if (input_.cancel.cancelled()) return error("cancelled");
            std::vector<State> next;
            std::set<std::vector<bool>> seen;
            for (State& state : states_) follow(state, next, seen);
            if (next.empty()) return error("nodes wait for each other");
            states_ = std::move(next);
        }
    }

private:
    struct State {
        std::vector<bool> taken;
        std::vector<uint32_t> waiting;          ///< by node: what it waits for that was not taken
        std::vector<std::set<uint32_t>> ready;  ///< by kind
        std::vector<NodeId> order;
    };

    /// Adds what comes of a state by one more run, of each backend that has something to do.
    void follow(State& state, std::vector<State>& next, std::set<std::vector<bool>>& seen) const {
        std::vector<size_t> kinds;
        for (size_t kind = 1; kind < state.ready.size(); ++kind)
            if (!state.ready[kind].empty()) kinds.push_back(kind);
        for (size_t kind : kinds) {
            if (next.size() == most_) return;
            const bool last = kind == kinds.back() || next.size() + 1 == most_;
            State after = last ? std::move(state) : state;
            take(after, kind);
            take(after, 0);
            if (most_ == 1 || seen.insert(after.taken).second) next.push_back(std::move(after));
            if (last) return;
        }
    }

    /// Takes all nodes of a kind that are ready, and those that become so.
    void take(State& state, size_t kind) const {
        std::set<uint32_t>& ready = state.ready[kind];
        while (!ready.empty()) {
            const uint32_t node = *ready.begin();
            ready.erase(ready.begin());
            state.taken[node] = true;
            state.order.push_back(NodeId(node));
            for (uint32_t user : behind_[node])
                if (--state.waiting[user] == 0) state.ready[kind_[user]].insert(user);
        }
    }

    const PartitionerInput& input_;
    std::vector<std::vector<uint32_t>> behind_;
    const size_t most_;
    std::vector<size_t> kind_;  ///< 0: no backend takes the node
    std::vector<State> states_;
};

Division runs_of(const PartitionerInput& input, const std::vector<NodeId>& order) {
    Division division;
    int last = -1;
    for (NodeId node : order) {
        const int backend = input.verdicts.first(node);
        if (backend >= 0 && backend != last)
            division.regions.push_back({input.verdicts.backends[size_t(backend)].name, {}, {}, {}});
        if (backend >= 0) division.regions.back().nodes.push_back(node);
        last = backend;
    }
    return division;
}

}  // namespace

std::vector<std::pair<NodeId, NodeId>> litert_state_edges(const Graph& graph) {
    const auto is_resource = [&](GraphValueId id) { return id.valid() && graph[id].dtype == "resource"; };
    std::vector<std::pair<NodeId, NodeId>> edges;
    NodeId last;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const PlainNode& node = graph.nodes[i];
        if (node.op != "IF" && node.op != "WHILE" && node.op != "CALL_ONCE" &&
            std::none_of(node.inputs.begin(), node.inputs.end(), is_resource) &&
            std::none_of(node.outputs.begin(), node.outputs.end(), is_resource))
            continue;
        if (last.valid()) edges.emplace_back(last, NodeId(i));
        last = NodeId(i);
    }
    return edges;
}

Result<std::vector<NodeId>> order_with_fewest_runs(const PartitionerInput& input) { return RunOrders(input).fewest(); }

Result<Division> divide_as_litert_plugin(const PartitionerInput& input) {
    if (input.option("order") == "fewest") {
        const Result<std::vector<NodeId>> order = order_with_fewest_runs(input);
        if (!order) return order.error();
        return runs_of(input, *order);
    }
    std::vector<NodeId> order;
    for (uint32_t i = 0; i < input.graph.nodes.size(); ++i) order.push_back(NodeId(i));
    Division division = runs_of(input, order);
    // A run ends before the first node behind it in the file.
    note_borders(input, division, [&, region_of = regions_by_node(input.graph, division)](NodeId from, NodeId) {
        const NodeId next(division.regions[size_t(region_of[from.value])].nodes.back().value + 1);
        return DivisionNote{{},
                            {},
                            SENTENCE("Engine",
                                     "they are in different runs of the file's order: %1 stands between them and goes "
                                     "elsewhere"),
                            {next}};
    });
    return division;
}

Result<Division> divide_as_litert_weak(const PartitionerInput& input) {
    const uint32_t count = uint32_t(input.graph.nodes.size());
    std::vector<uint32_t> parent(count);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](uint32_t node) {
        while (parent[node] != node) node = parent[node] = parent[parent[node]];
        return node;
    };
    const auto backend_of = [&](uint32_t node) { return input.verdicts.first(NodeId(node)); };
    for (const PlainNode& user : input.graph.nodes) {
        const uint32_t to = uint32_t(&user - input.graph.nodes.data());
        for (GraphValueId value : user.inputs) {
            if (!value.valid() || !input.graph[value].producer.valid()) continue;
            const uint32_t from = input.graph[value].producer.value;
            if (backend_of(from) < 0 || backend_of(from) != backend_of(to)) continue;
            const uint32_t a = root(from), b = root(to);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    Division division;
    std::vector<size_t> region(count);
    for (uint32_t i = 0; i < count; ++i) {
        const int backend = backend_of(i);
        if (backend < 0) continue;
        if (root(i) == i) {
            region[i] = division.regions.size();
            division.regions.push_back({input.verdicts.backends[size_t(backend)].name, {}, {}, {}});
        }
        division.regions[region[root(i)]].nodes.push_back(NodeId(i));
    }
    return division;
}

}  // namespace partita
