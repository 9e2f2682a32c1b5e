#include "app/gui/canvas/block_lists.h"

#include <algorithm>
#include <map>

namespace partita {

BlockKinds block_kinds(const GraphModel& model) {
    BlockKinds kinds;
    QHash<QString, uint32_t> numbers;
    BlockGraph& graph = kinds.graph;
    graph.kind.reserve(model.nodes.size());
    graph.is_result.resize(model.nodes.size());
    for (uint32_t node = 0; node < model.nodes.size(); ++node) {
        const GraphNode& data = model.nodes[node];
        auto found = numbers.find(data.title);
        if (found == numbers.end()) {
            found = numbers.insert(data.title, uint32_t(kinds.titles.size()));
            kinds.titles.push_back(data.title);
        }
        graph.kind.push_back(*found);
        graph.is_result[node] = data.is_output;
        if (data.is_output && data.kind == GraphNodeKind::Tuple && !model.incoming(node).empty())
            graph.gathering = node;
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(model.edges.size());
    for (const GraphEdge& edge : model.edges) edges.emplace_back(edge.from, edge.to);
    graph.connect(edges);
    return kinds;
}

BlockLists::BlockLists(const GraphModel& full, const GroupTree& tree)
    : tree_(tree), run_of_(tree.groups.size(), -1), block_of_(tree.groups.size(), -1) {
    for (size_t i = 0; i < tree.groups.size(); ++i) {
        const GraphGroup& group = tree.groups[i];
        const int32_t run = group.parent < 0 ? -1 : run_of_[size_t(group.parent)];
        if (group.form == GroupForm::Part) {
            run_of_[i] = run;
            continue;
        }
        if (group.times > 1) {
            run_of_[i] = int32_t(runs_.size());
            runs_.emplace_back().run = int32_t(i);
        }
        if (run < 0) continue;
        block_of_[i] = int32_t(runs_[size_t(run)].nodes.size());
        runs_[size_t(run)].nodes.emplace_back();
        runs_[size_t(run)].groups.push_back(int32_t(i));
    }
    if (runs_.empty()) return;
    for (uint32_t node = 0; node < full.nodes.size(); ++node)
        if (tree.group_of[node] >= 0 && !full.incoming(node).empty()) add(node);
}

void BlockLists::add(uint32_t node) {
    int32_t group = tree_.group_of[node];
    if (const int32_t run = run_of_[size_t(group)]; run >= 0) {
        runs_[size_t(run)].nodes.push_back({node});
        runs_[size_t(run)].groups.push_back(-1);
    }
    for (; group >= 0; group = tree_.groups[size_t(group)].parent) {
        if (block_of_[size_t(group)] < 0) continue;
        const int32_t run = run_of_[size_t(tree_.groups[size_t(group)].parent)];
        runs_[size_t(run)].nodes[size_t(block_of_[size_t(group)])].push_back(node);
    }
}

/// Where hardly two blocks are wired alike, as in a chain whose operators take what comes, their operators count alone.
void BlockLists::choose_usual(const BlockGraph& graph, RunBlocks& run) {
    if (run.hashes.empty()) return;
    run.usual = usual_block(run.hashes);
    const auto alike = std::count(run.hashes.begin(), run.hashes.end(), run.hashes[run.usual]);
    if (size_t(alike) * 2 >= run.hashes.size()) return;
    for (size_t i = 0; i < run.nodes.size(); ++i) {
        run.hashes[i] = 0;
        for (uint32_t node : run.nodes[i]) run.hashes[i] += mixed(17, graph.kind[node]);
    }
    run.usual = usual_block(run.hashes);
}

std::vector<RunBlocks> BlockLists::hashed(const BlockGraph& graph) const {
    std::vector<RunBlocks> runs = runs_;
    std::map<uint8_t, std::vector<size_t>> by_depth;  // runs of one depth share no node
    for (size_t i = 0; i < runs.size(); ++i) by_depth[tree_.groups[size_t(runs[i].run)].depth].push_back(i);
    for (const auto& [depth, members] : by_depth) {
        std::vector<BlockNodes> blocks;
        for (const size_t i : members) blocks.insert(blocks.end(), runs[i].nodes.begin(), runs[i].nodes.end());
        const std::vector<uint64_t> hashes = block_hashes(graph, blocks);
        auto next = hashes.begin();
        for (const size_t i : members) {
            runs[i].hashes.assign(next, next + ptrdiff_t(runs[i].nodes.size()));
            next += ptrdiff_t(runs[i].nodes.size());
            choose_usual(graph, runs[i]);
        }
    }
    return runs;
}

}  // namespace partita
