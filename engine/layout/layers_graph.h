// The layered graph behind the Layers engine: every node has a layer, and every edge joins neighbouring layers, long
// ones by way of bends. Made by make_layers (layers_graph.cpp), ordered by order_layers (layers_order.cpp), placed by
// layers_layout.cpp. All steps are linear in nodes, edges and bends, but for sorting within layers; bends are bounded
// by a multiple of the graph's size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/layout/graph_layout.h"

namespace partita {

/// Something that has a place in a layer: a node, a bend of a long edge, or a spacer that keeps a cluster's box free.
struct LayerItem {
    uint32_t layer = 0;
    int32_t cluster = -1;
    double width = 0;
    double x = 0;
    bool is_node = false;
    /// Leads to the longest path from beside it: gives way to what is on it.
    bool side = false;
};

struct LayerGraph {
    std::vector<LayerItem> items;               ///< the nodes of the input first, by their index
    std::vector<std::vector<uint32_t>> layers;  ///< items from left to right
    // Neighbours in the layers above and below, flat: of item i at [begin[i], begin[i + 1]).
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

/// Longest-path layering; edges that close a cycle are turned round, nodes beside the longest path move down to their
/// users.
LayerGraph make_layers(const LayoutGraph& graph);

/// Barycentre sweeps (Sugiyama, Tagawa and Toda 1981), clusters contiguous and in one order in all layers. False when
/// cancelled.
bool order_layers(LayerGraph& graph, size_t cluster_count, const CancelToken& cancel);

}  // namespace partita
