#include "engine/blocks/module_blocks.h"

#include "engine/blocks/repeated_blocks.h"
#include "engine/blocks/run_blocks.h"
#include "engine/ir/traversal.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

/// The groups with the outermost runs alone.
std::vector<BlockGroup> outermost_runs(const FoundBlocks& found) {
    std::vector<BlockGroup> groups;
    std::vector<bool> is_in_run(found.blocks.size());
    for (size_t i = 0; i < found.blocks.size(); ++i) {
        const FoundBlock& block = found.blocks[i];
        const bool inside = block.parent >= 0 && is_in_run[size_t(block.parent)];
        groups.push_back({block.parent, inside || block.of_operators ? 0 : block.times});
        is_in_run[i] = inside || groups.back().times > 1;
    }
    return groups;
}

}  // namespace

ModuleBlocks::ModuleBlocks(const Module& module) : ModuleBlocks(module, module_graph(module)) {}

ModuleBlocks::ModuleBlocks(const Module& module, const ModuleGraph& graph) {
    const FoundBlocks found = find_repeated_blocks(graph.graph);
    std::vector<RunBlocks> runs = list_run_blocks(graph.graph, outermost_runs(found), found.block_of);
    if (runs.empty()) return;
    compare_blocks(graph.graph, runs);
    places_.resize(module.size());
    for (const RunBlocks& run : runs) {
        place_run(graph, run);
        describe_run(graph, run, found.blocks[size_t(run.run)].letter);
    }
    place_others(module, graph);
}

/// What corresponds to nothing in the usual block is told apart by how many of its kind come before it in its own.
void ModuleBlocks::place_run(const ModuleGraph& graph, const RunBlocks& run) {
    constexpr uint64_t kCorresponds = 1, kOwn = 2;
    const int32_t number = int32_t(runs_.size());
    const BlockMatcher matcher(graph.graph, run.nodes[run.usual]);
    for (uint32_t block = 0; block < run.nodes.size(); ++block) {
        const BlockNodes& nodes = run.nodes[block];
        const std::vector<int32_t> places = matcher.places_of(nodes);
        std::unordered_map<uint32_t, uint32_t> count;
        for (size_t k = 0; k < nodes.size(); ++k) {
            const uint32_t kind = graph.graph.kind[nodes[k]];
            const uint64_t like = places[k] >= 0 ? hash_combine(kCorresponds, uint64_t(places[k]))
                                                 : hash_combine(hash_combine(kOwn, kind), ++count[kind]);
            places_[graph.exprs[nodes[k]].value] = {number, block, hash_combine(like, uint64_t(number))};
        }
    }
}

void ModuleBlocks::describe_run(const ModuleGraph& graph, const RunBlocks& run, uint32_t letter) {
    BlockRunSummary summary{letter, uint32_t(run.nodes.size()), 0, {}};
    for (uint32_t block = 0; block < run.nodes.size(); ++block) {
        if (run.hashes[block] == run.hashes[run.usual]) {
            ++summary.alike;
            continue;
        }
        BlockRunSummary::Differing differing{block, {}};
        for (const KindDifference& each : differences(graph.graph, run.nodes[run.usual], run.nodes[block]))
            differing.how.push_back({graph.names[each.kind], each.more});
        summary.differing.push_back(std::move(differing));
    }
    runs_.push_back(std::move(summary));
}

std::vector<ExprId> ModuleBlocks::calls(const Module& module, int32_t run) const {
    std::vector<ExprId> found;
    for (uint32_t i = 0; i < places_.size(); ++i)
        if (places_[i].run == run && module.kind(ExprId(i)) == ExprKind::Call) found.push_back(ExprId(i));
    return found;
}

void ModuleBlocks::place_others(const Module& module, const ModuleGraph& graph) {
    std::vector<bool> is_node(module.size());
    for (ExprId expr : graph.exprs) is_node[expr.value] = true;
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions_by_name()) roots.push_back(global.function);
    const std::vector<ExprId> order = post_order(module, roots);
    for (size_t i = order.size(); i-- > 0;) {
        const BlockPlace user = places_[order[i].value];
        if (user.run < 0) continue;
        const std::span<const ExprId> operands = module.operands(order[i]);
        for (size_t k = 0; k < operands.size(); ++k) {
            const ExprKind kind = module.kind(operands[k]);
            if (is_node[operands[k].value] || kind == ExprKind::Op || kind == ExprKind::GlobalVar ||
                kind == ExprKind::Var)
                continue;
            places_[operands[k].value] = {user.run, user.block, hash_combine(user.like, k + 1)};
        }
    }
}

}  // namespace partita
