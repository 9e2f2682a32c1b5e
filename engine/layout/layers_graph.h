// The layered graph behind the Layers engine: every node has a layer, and every edge joins neighbouring layers, long
// ones through bends. make_layers (layers_graph.cpp) builds it, order_layers (layers_order.cpp) orders it,
// layers_layout.cpp assigns positions. All steps are linear in nodes, edges and bends except for sorting within layers;
// the number of bends is bounded by a multiple of the graph's size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/layout/graph_layout.h"

namespace partita {

/// An item of a layer: a node, a bend of a long edge, or a spacer that keeps the box of a cluster free.
struct LayerItem {
    uint32_t layer = 0;
    int32_t cluster = -1;
    double width = 0;
    double x = 0;
    bool is_node = false;
    /// Whether the item only joins the longest path from the side and gives way to items on it.
    bool side = false;
};

struct LayerGraph {
    std::vector<LayerItem> items;               ///< the nodes of the input first, by their index
    std::vector<std::vector<uint32_t>> layers;  ///< items from left to right
    // Neighbours in the layers above and below, in flat arrays: of item i at [begin[i], begin[i + 1]).
    std::vector<uint32_t> above, above_begin, below, below_begin;
    /// By edge of the input: its items from the upper to the lower end. Empty for a loop on one node.
    std::vector<std::vector<uint32_t>> paths;
    std::vector<bool> reversed;  ///< edges whose upper end is `to`

    std::span<const uint32_t> neighbours_above(uint32_t item) const {
        return {above.data() + above_begin[item], above_begin[item + 1] - above_begin[item]};
    }
    std::span<const uint32_t> neighbours_below(uint32_t item) const {
        return {below.data() + below_begin[item], below_begin[item + 1] - below_begin[item]};
    }
};

/// Layers the graph by longest paths. Reverses edges that close a cycle, and moves nodes beside the longest path down
/// to their users.
LayerGraph make_layers(const LayoutGraph& graph);

/// Orders layers by barycentre sweeps (Sugiyama, Tagawa and Toda 1981), with clusters contiguous and in one order in
/// all layers. Returns false when cancelled.
bool order_layers(LayerGraph& graph, size_t cluster_count, const CancelToken& cancel);

}  // namespace partita
