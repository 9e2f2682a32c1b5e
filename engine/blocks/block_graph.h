// The operators of a graph and what feeds them, as numbers: what blocks are looked for in. Plain values without a
// module, so that a window's nodes and a picture's can be asked alike.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace partita {

struct BlockGraph {
    std::vector<uint32_t> kind;       ///< by node, in topological order: equal where nodes do the same
    std::vector<bool> is_result;      ///< by node: the function's result
    uint32_t gathering = UINT32_MAX;  ///< the node that only gathers several results, if there is one

    // Producers and users in flat arrays: of node i at [begin[i], begin[i + 1]).
    std::vector<uint32_t> in_begin, in_list, out_begin, out_list;

    size_t size() const { return kind.size(); }
    std::span<const uint32_t> producers(uint32_t node) const {
        return {in_list.data() + in_begin[node], in_begin[node + 1] - in_begin[node]};
    }
    std::span<const uint32_t> users(uint32_t node) const {
        return {out_list.data() + out_begin[node], out_begin[node + 1] - out_begin[node]};
    }
    /// Inputs and weights: nodes that nothing feeds.
    bool is_source(uint32_t node) const { return in_begin[node] == in_begin[node + 1]; }

    /// Fills the lists from pairs of producer and user, those of one user in the order of its operands. Linear.
    void connect(std::span<const std::pair<uint32_t, uint32_t>> edges);
};

/// Returns a hash that follows from both numbers, in this order.
inline uint64_t mixed(uint64_t hash, uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdull;
    return hash ^ hash >> 32;
}

/// Returns a hash that is equal for nodes of one kind that are made in the same way. `made_of(producer)` returns that
/// of a producer, or 0 where it does not count how that one is made. The order of the operands does not count either.
template <class MadeOf>
uint64_t made_hash(const BlockGraph& graph, uint32_t node, const MadeOf& made_of) {
    uint64_t inputs = 0;
    for (uint32_t from : graph.producers(node)) {
        const uint64_t made = made_of(from);
        inputs += made == 0 ? 1 : mixed(7, made);
    }
    return mixed(mixed(graph.kind[node], 3), inputs);
}

}  // namespace partita
