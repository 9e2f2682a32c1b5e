// Graphs made of bytes, and what holds of the blocks that are found in any graph.
#pragma once

#include <set>
#include <string>

#include "engine/blocks/repeated_blocks.h"
#include "engine/blocks/run_blocks.h"

namespace partita::testing {

/// Each byte makes a node: its low bits the kind, the others which nodes before it feed it. The first is an input.
inline BlockGraph block_graph_of(std::string_view bytes) {
    BlockGraph graph;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    graph.kind.push_back(0);
    for (size_t i = 0; i < bytes.size(); ++i) {
        const uint8_t byte = uint8_t(bytes[i]);
        const uint32_t node = uint32_t(graph.kind.size());
        graph.kind.push_back(1 + byte % 8);
        const uint32_t last = node - 1;
        const auto back = [node](uint32_t steps) { return steps < node ? node - 1 - steps : 0u; };
        switch (byte >> 3) {
            case 31: break;  // an input of its own
            case 30: edges.emplace_back(0, node); break;
            case 29: edges.emplace_back(last, node), edges.emplace_back(0, node); break;
            case 28: edges.emplace_back(last, node), edges.emplace_back(last / 2, node); break;
            case 27: edges.emplace_back(last, node), edges.emplace_back(last, node); break;
            default:
                edges.emplace_back(last, node);
                if (byte >> 3 >= 12) edges.emplace_back(back(uint32_t(byte >> 3) - 11), node);
        }
    }
    graph.is_result.assign(graph.kind.size(), false);
    graph.is_result.back() = true;
    graph.connect(edges);
    return graph;
}

inline std::vector<BlockGroup> block_groups(const FoundBlocks& found) {
    std::vector<BlockGroup> groups;
    for (const FoundBlock& block : found.blocks) groups.push_back({block.parent, block.times});
    return groups;
}

/// Returns what is wrong with found blocks, or "".
inline std::string fault_of_blocks(const BlockGraph& graph, const FoundBlocks& found) {
    const auto text = [](const char* what, size_t which) { return what + std::string(" ") + std::to_string(which); };
    if (found.block_of.size() != graph.size()) return "not every node has a place";
    std::set<int32_t> used;
    for (uint32_t node = 0; node < graph.size(); ++node) {
        const int32_t block = found.block_of[node];
        if (block >= int32_t(found.blocks.size())) return text("no such block, of node", node);
        if (block >= 0 && graph.is_source(node)) return text("an input in a block:", node);
        if (block >= 0) used.insert(block);
    }
    std::vector<uint32_t> children(found.blocks.size());
    for (size_t i = found.blocks.size(); i-- > 0;) {
        const FoundBlock& block = found.blocks[i];
        if (block.parent >= int32_t(i)) return text("a parent behind its block", i);
        if (!used.count(int32_t(i))) return text("nothing lies in block", i);
        if (block.parent >= 0) used.insert(block.parent), ++children[size_t(block.parent)];
        if ((block.form == FoundForm::Run) != (block.times >= 2)) return text("no run, or not of several:", i);
        if (block.first >= graph.size() || block.last >= graph.size()) return text("no first or last node of", i);
    }
    std::vector<RunBlocks> runs = list_run_blocks(graph, block_groups(found), found.block_of);
    compare_blocks(graph, runs);
    for (const RunBlocks& run : runs) {
        const FoundBlock& group = found.blocks[size_t(run.run)];
        if (run.nodes.size() != group.times) return text("another number of blocks than told in run", size_t(run.run));
        const BlockNodes& usual = run.nodes[run.usual];
        const BlockMatcher matcher(graph, usual);
        // What a block within has more or less counts once for each time that it comes.
        const bool nested =
            children[size_t(run.run)] > 0 && std::any_of(found.blocks.begin(), found.blocks.end(), [&](auto& each) {
                return each.form == FoundForm::Run && each.parent >= 0 &&
                       (each.parent == run.run || found.blocks[size_t(each.parent)].parent == run.run);
            });
        for (const BlockNodes& block : run.nodes) {
            size_t count = 0;
            for (const KindDifference& each : differences(graph, usual, block)) count += size_t(std::abs(each.more));
            const size_t most = most_differences(uint32_t(std::max(usual.size(), block.size())));
            if (!nested && count > 2 * most) return text("blocks that differ in too much, in run", size_t(run.run));
            std::set<int32_t> places;
            const std::vector<int32_t> found_places = matcher.places_of(block);
            for (size_t k = 0; k < block.size(); ++k) {
                const int32_t place = found_places[k];
                if (place < 0) continue;
                if (!places.insert(place).second) return "two nodes correspond to one";
                if (graph.kind[usual[size_t(place)]] != graph.kind[block[k]]) return "another kind corresponds";
            }
        }
    }
    return {};
}

}  // namespace partita::testing
