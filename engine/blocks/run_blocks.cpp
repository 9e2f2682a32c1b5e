#include "engine/blocks/run_blocks.h"

#include <algorithm>
#include <map>

namespace partita {

namespace {

class RunLister {
public:
    RunLister(const std::vector<BlockGroup>& groups, const std::vector<int32_t>& group_of)
        : groups_(groups), group_of_(group_of), run_of_(groups.size(), -1), block_of_(groups.size(), -1),
          depth_(groups.size()) {}

    std::vector<RunBlocks> list(const BlockGraph& graph) {
        for (size_t i = 0; i < groups_.size(); ++i) add_group(i);
        if (runs_.empty()) return {};
        for (uint32_t node = 0; node < graph.size(); ++node)
            if (group_of_[node] >= 0 && !graph.is_source(node)) add_node(node);
        return std::move(runs_);
    }

private:
    void add_group(size_t i) {
        const BlockGroup& group = groups_[i];
        const int32_t run = group.parent < 0 ? -1 : run_of_[size_t(group.parent)];
        if (group.parent >= 0) depth_[i] = depth_[size_t(group.parent)];
        if (group.is_part) {
            run_of_[i] = run;
            return;
        }
        if (group.times > 1) {
            run_of_[i] = int32_t(runs_.size());
            runs_.emplace_back().run = int32_t(i);
            runs_.back().depth = depth_[i]++;
        }
        if (run < 0) return;
        block_of_[i] = int32_t(runs_[size_t(run)].nodes.size());
        runs_[size_t(run)].nodes.emplace_back();
        runs_[size_t(run)].groups.push_back(int32_t(i));
    }

    void add_node(uint32_t node) {
        int32_t group = group_of_[node];
        if (const int32_t run = run_of_[size_t(group)]; run >= 0) {
            runs_[size_t(run)].nodes.push_back({node});
            runs_[size_t(run)].groups.push_back(-1);
        }
        for (; group >= 0; group = groups_[size_t(group)].parent) {
            if (block_of_[size_t(group)] < 0) continue;
            const int32_t run = run_of_[size_t(groups_[size_t(group)].parent)];
            runs_[size_t(run)].nodes[size_t(block_of_[size_t(group)])].push_back(node);
        }
    }

    const std::vector<BlockGroup>& groups_;
    const std::vector<int32_t>& group_of_;
    std::vector<RunBlocks> runs_;
    std::vector<int32_t> run_of_;    ///< by group: index into runs_ of the run that it is or is a part of, or -1
    std::vector<int32_t> block_of_;  ///< by group: the number of the block of a run that it is, or -1
    std::vector<uint32_t> depth_;    ///< by group: runs that its content lies in
};

void choose_usual(const BlockGraph& graph, RunBlocks& run) {
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

}  // namespace

std::vector<RunBlocks> list_run_blocks(const BlockGraph& graph, const std::vector<BlockGroup>& groups,
                                       const std::vector<int32_t>& group_of) {
    return RunLister(groups, group_of).list(graph);
}

void compare_blocks(const BlockGraph& graph, std::vector<RunBlocks>& runs) {
    std::map<uint32_t, std::vector<size_t>> by_depth;  // runs of one depth share no node
    for (size_t i = 0; i < runs.size(); ++i) by_depth[runs[i].depth].push_back(i);
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
}

}  // namespace partita
