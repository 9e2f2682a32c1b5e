#include "app/gui/canvas/alike_blocks.h"

#include <map>
#include <set>
#include <unordered_set>

namespace partita {

namespace {

/// Operators of one kind with one type of result.
using Kind = uint64_t;

class AlikeFinder {
public:
    AlikeFinder(const GraphModel& full, const GroupTree& tree, const std::vector<uint32_t>& nodes)
        : full_(full), tree_(tree), nodes_(nodes) {}

    AlikeNodes find() {
        for (uint32_t node : nodes_)
            for (int32_t run : runs_round(node)) wanted_by_run_[run].push_back(node);
        // Inner runs first: they have the larger numbers.
        for (auto run = wanted_by_run_.rbegin(); run != wanted_by_run_.rend(); ++run) extend(run->first, run->second);
        AlikeNodes result;
        result.nodes.assign(found_.begin(), found_.end());
        result.blocks = blocks_;
        result.without = without_;
        return result;
    }

private:
    std::vector<int32_t> runs_round(uint32_t node) const {
        std::vector<int32_t> runs;
        for (int32_t group = tree_.group_of[node]; group >= 0; group = tree_.groups[size_t(group)].parent)
            if (tree_.groups[size_t(group)].times > 1) runs.push_back(group);
        return runs;
    }

    Kind kind_of(uint32_t node) const {
        const Module& module = *full_.module;
        const ExprId expr = full_.nodes[node].expr;
        const bool is_call = module.kind(expr) == ExprKind::Call;
        const OpId op = is_call ? module.called_op(expr) : OpId();
        const uint64_t what = op.valid() ? op.value
                              : is_call  ? uint64_t(1) << 30 | module.callee(expr).value
                                         : uint64_t(1) << 31 | uint64_t(module.kind(expr));
        return what << 32 | module.type(expr).value;
    }

    /// The block of a run that a node lies in: the group right below the run, or the node itself; -1: not in the run.
    int64_t block_of(uint32_t node, int32_t run) const {
        int32_t below = -1;
        for (int32_t group = tree_.group_of[node]; group >= 0; group = tree_.groups[size_t(group)].parent) {
            if (group == run) return below >= 0 ? below : int64_t(tree_.groups.size()) + node;
            below = group;
        }
        return -1;
    }

    /// Adds what is like `wanted` in the other blocks of a run, unless an inner run added something to them.
    void extend(int32_t run, const std::vector<uint32_t>& wanted) {
        std::unordered_set<uint32_t> still;
        for (uint32_t node : wanted)
            if (!grown_.count(node)) still.insert(node);
        if (still.empty()) return;
        std::unordered_set<Kind> kinds;
        for (uint32_t node : still) kinds.insert(kind_of(node));
        std::map<std::pair<int64_t, Kind>, std::vector<uint32_t>> by_block;
        std::set<int64_t> blocks;
        for (uint32_t node = 0; node < full_.nodes.size(); ++node) {
            const int64_t block = block_of(node, run);
            if (block < 0) continue;
            blocks.insert(block);
            if (kinds.count(kind_of(node))) by_block[{block, kind_of(node)}].push_back(node);
        }
        std::set<std::pair<Kind, size_t>> places;
        for (const auto& [key, list] : by_block)
            for (size_t i = 0; i < list.size(); ++i)
                if (still.count(list[i])) places.insert({key.second, i});
        std::set<int64_t> with;
        std::set<uint32_t> added;
        for (const auto& [key, list] : by_block)
            for (size_t i = 0; i < list.size(); ++i)
                if (places.count({key.second, i})) added.insert(list[i]), with.insert(key.first);
        found_.insert(added.begin(), added.end());
        blocks_ += uint32_t(with.size());
        without_ += uint32_t(blocks.size() - with.size());
        if (added.size() > still.size()) grown_.insert(still.begin(), still.end());
    }

    const GraphModel& full_;
    const GroupTree& tree_;
    const std::vector<uint32_t>& nodes_;
    std::map<int32_t, std::vector<uint32_t>> wanted_by_run_;
    std::set<uint32_t> found_;
    std::unordered_set<uint32_t> grown_;  ///< of those that were given: likes were found already
    uint32_t blocks_ = 0, without_ = 0;
};

}  // namespace

AlikeNodes alike_in_blocks(const GraphModel& full, const GroupTree& tree, const std::vector<uint32_t>& nodes) {
    if (tree.group_of.size() != full.nodes.size()) return {};
    return AlikeFinder(full, tree, nodes).find();
}

}  // namespace partita
