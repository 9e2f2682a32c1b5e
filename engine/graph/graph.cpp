#include "engine/graph/graph.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "engine/support/one_line.h"

namespace partita {

NodeLinks::NodeLinks(const Graph& graph) {
    const uint32_t count = uint32_t(graph.nodes.size());
    before_.begin.assign(count + 1, 0);
    std::vector<uint32_t> last_user(count, UINT32_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        auto add = [&](NodeId other) {
            if (!other.valid() || last_user[other.value] == i) return;
            last_user[other.value] = i;
            before_.ids.push_back(other);
        };
        for (GraphValueId input : graph.nodes[i].inputs)
            if (input.valid()) add(graph[input].producer);
        for (NodeId other : graph.nodes[i].after) add(other);
        before_.begin[i + 1] = uint32_t(before_.ids.size());
    }
    behind_.begin.assign(count + 1, 0);
    for (NodeId id : before_.ids) ++behind_.begin[id.value + 1];
    for (uint32_t i = 0; i < count; ++i) behind_.begin[i + 1] += behind_.begin[i];
    std::vector<uint32_t> next(behind_.begin.begin(), behind_.begin.end() - 1);
    behind_.ids.resize(before_.ids.size());
    for (uint32_t i = 0; i < count; ++i)
        for (NodeId id : before(NodeId(i))) behind_.ids[next[id.value]++] = NodeId(i);
}

namespace {

/// Names a cycle among the nodes that still wait: from each, back to one that waits, until one comes again.
std::string cycle_text(const Graph& graph, const NodeLinks& links, const std::vector<uint32_t>& waiting) {
    NodeId at;
    for (uint32_t i = 0; i < waiting.size() && !at.valid(); ++i)
        if (waiting[i]) at = NodeId(i);
    std::vector<NodeId> path;
    std::vector<bool> met(waiting.size());
    while (!met[at.value]) {
        met[at.value] = true;
        path.push_back(at);
        const std::span<const NodeId> before = links.before(at);
        at = *std::find_if(before.begin(), before.end(), [&](NodeId id) { return waiting[id.value] != 0; });
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    std::string text;
    constexpr size_t kMostNamed = 6;
    for (size_t i = path.size(); i-- > 0;)
        if (path.size() - i <= kMostNamed) text += on_one_line(node_title(graph, path[i])) + " -> ";
    return text + (path.size() > kMostNamed ? "... -> " : "") + on_one_line(node_title(graph, path.back()));
}

}  // namespace

Result<std::vector<NodeId>> running_order(const Graph& graph, const NodeLinks& links) {
    const uint32_t count = uint32_t(graph.nodes.size());
    std::vector<uint32_t> waiting(count);
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t i = 0; i < count; ++i) {
        waiting[i] = uint32_t(links.before(NodeId(i)).size());
        if (!waiting[i]) ready.push(i);
    }
    std::vector<NodeId> order;
    order.reserve(count);
    while (!ready.empty()) {
        const NodeId node(ready.top());
        ready.pop();
        order.push_back(node);
        for (NodeId user : links.behind(node))
            if (--waiting[user.value] == 0) ready.push(user.value);
    }
    if (order.size() == count) return order;
    const NodeId first(
        uint32_t(std::find_if(waiting.begin(), waiting.end(), [](uint32_t n) { return n != 0; }) - waiting.begin()));
    return error("nodes wait for each other: " + cycle_text(graph, links, waiting), graph[first].position);
}

std::string node_title(const Graph& graph, NodeId node) {
    const PlainNode& of = graph[node];
    return of.name.empty() ? of.op + " #" + std::to_string(node.value + 1) : of.name;
}

}  // namespace partita
