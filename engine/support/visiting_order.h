// The order in which ONNX Runtime visits the nodes of a graph: depth first against the edges, from the last node that
// feeds none, the highest number first (core/graph/graph_viewer.cc:75-107, graph.cc:1924).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace partita {

/// `from` has, by node, the nodes that it uses, sorted; `leaves` those that feed none, in their order. Linear.
inline std::vector<uint32_t> visiting_order(const std::vector<std::vector<uint32_t>>& from,
                                            const std::vector<uint32_t>& leaves) {
    std::vector<std::pair<uint32_t, bool>> stack;  // whether it is left
    for (uint32_t leaf : leaves) stack.emplace_back(leaf, false);
    std::vector<bool> visited(from.size());
    std::vector<uint32_t> order;
    while (!stack.empty()) {
        const auto [at, leaves_it] = stack.back();
        stack.pop_back();
        if (leaves_it) order.push_back(at);
        if (leaves_it || visited[at]) continue;
        visited[at] = true;
        stack.emplace_back(at, true);
        for (uint32_t use : from[at])
            if (!visited[use]) stack.emplace_back(use, false);
    }
    return order;
}

}  // namespace partita
