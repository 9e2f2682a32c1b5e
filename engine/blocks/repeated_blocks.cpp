#include "engine/blocks/repeated_blocks.h"

#include <map>
#include <memory>
#include <numeric>

#include "engine/blocks/block_order.h"
#include "engine/blocks/block_runs.h"
#include "engine/blocks/parallel_blocks.h"
#include "engine/support/cancel_check.h"

namespace partita {

namespace {

constexpr int kRounds = 3;              ///< repeats of repeats of repeats
constexpr int kDeepest = 2;             ///< blocks within blocks
constexpr uint32_t kShortestLife = 24;  ///< of a value that may be shared by blocks, in operators
constexpr size_t kFewParts = 16;        ///< a graph of fewer parts is read at a glance
constexpr uint32_t kShortestStretch = 3;
constexpr uint32_t kSmallestFork = 12, kLargestFork = 50000;  ///< operators of a stretch that may hold branches

class BlockFinder {
public:
    /// Values that live for more than `longest` operators cross cuts without being counted: masks, tables of positions
    /// and the like are shared by all blocks.
    BlockFinder(const BlockGraph& graph, BlockOrder order, uint32_t longest, const CancelToken& cancel)
        : graph_(graph), cancel_(cancel), cancelled_(cancel), places_(std::move(order)), order_(places_.order()),
          longest_(longest) {
        kinds_.reserve(order_.size());
        for (uint32_t node : order_) kinds_.push_back(graph.kind[node]);
    }

    void find() {
        found_.block_of.assign(graph_.size(), -1);
        items_ = cut_into_stretches();
        for (const BlockItem& item : items_)
            if (item.size() >= kSmallestFork && item.size() <= kLargestFork) stretches_.push_back(item);
        name_blocks(items_);
        items_ = join_runs(std::move(items_), 0);
    }

    /// In how many parts the graph is shown.
    size_t parts() const {
        size_t parts = 0;
        for (const BlockItem& item : items_) parts += item.group >= 0 ? 1 : item.size();
        return parts;
    }

    FoundBlocks take() {
        gather_stretches();
        for (const BlockItem& stretch : stretches_)
            if (!cancelled_()) split_branches(stretch);
        sort();
        give_letters();
        return std::move(found_);
    }

private:
    std::vector<BlockItem> cut_into_stretches() {
        const uint32_t count = uint32_t(order_.size());
        // How many values cross from operator i to the next: +1 where one is made, -1 after its last use.
        std::vector<int32_t> change(size_t(count) + 1, 0);
        std::vector<uint32_t> last_use(count);
        for (uint32_t i = 0; i < count; ++i) {
            last_use[i] = places_.last_use(i);
            if (last_use[i] - i > longest_) continue;
            ++change[i];
            --change[last_use[i]];
        }
        std::vector<BlockItem> items;
        node_hash_.assign(graph_.size(), 0);
        int32_t live = 0;
        uint32_t begin = 0, furthest = 0, reach = 0;
        for (uint32_t i = 0; i < count && !cancelled_(); ++i) {
            live += change[i];
            if (last_use[i] - i <= longest_) furthest = std::max(furthest, last_use[i]);
            if (live > 1 && i + 1 < count) continue;
            // What takes more than half of all comes once, whatever its hash.
            const bool is_alone = size_t(i + 1 - begin) * 2 > count;
            items.push_back({begin, i + 1, reach, -1, is_alone ? mixed(begin, i + 1) : hash_of(begin, i + 1)});
            begin = i + 1;
            reach = furthest > i ? furthest - i : 0;
        }
        return items;
    }

    /// Of the operators and how they are wired, in whatever order; what comes from outside is all the same.
    uint64_t hash_of(uint32_t begin, uint32_t end) {
        uint64_t all = 0;
        for (uint32_t i = begin; i < end; ++i) {
            node_hash_[order_[i]] = made_hash(graph_, order_[i], [&](uint32_t from) {
                const uint32_t place = places_.place(from);
                return place == UINT32_MAX || place < begin ? 0 : node_hash_[from];
            });
            all += mixed(5, node_hash_[order_[i]]);
        }
        return mixed(all, node_hash_[order_[end - 1]]);
    }

    /// A stretch of several operators that comes more than once is a block.
    void name_blocks(std::vector<BlockItem>& items) {
        std::unordered_map<uint64_t, uint32_t> count;
        for (const BlockItem& item : items)
            if (item.size() >= kSmallestBlock) ++count[item.hash];
        for (BlockItem& item : items) {
            if (cancelled_()) return;
            if (item.size() < kSmallestBlock || count[item.hash] < 2) continue;
            item.group = add(FoundForm::Block, item.begin, item.end, item.hash);
            adopt(item, item.group);
        }
    }

    int32_t add(FoundForm form, uint32_t begin, uint32_t end, uint64_t kind) {
        FoundBlock block;
        block.form = form;
        block.first = order_[begin];
        block.last = order_[end - 1];
        found_.blocks.push_back(block);
        kind_.push_back(kind);
        return int32_t(found_.blocks.size()) - 1;
    }

    /// Puts what an item is made of into a block: the item's own, or its operators that lie in none.
    void adopt(const BlockItem& item, int32_t block) {
        if (item.group >= 0 && item.group != block) {
            found_.blocks[size_t(item.group)].parent = block;
            return;
        }
        for (uint32_t i = item.begin; i < item.end; ++i)
            if (found_.block_of[order_[i]] < 0) found_.block_of[order_[i]] = block;
    }

    std::vector<BlockItem> join_runs(std::vector<BlockItem> items, int depth) {
        for (int round = 0; round < kRounds && items.size() > 1; ++round) {
            const std::vector<BlockRun> runs = RunFinder(items, kinds_, cancel_).find();
            if (runs.empty()) break;
            std::vector<BlockItem> joined;
            size_t next = 0;
            for (const BlockRun& run : runs) {
                if (cancelled_()) return items;
                joined.insert(joined.end(), items.begin() + ptrdiff_t(next),
                              items.begin() + ptrdiff_t(run.bounds.front()));
                joined.push_back(join(items, run, depth));
                next = run.bounds.back();
            }
            joined.insert(joined.end(), items.begin() + ptrdiff_t(next), items.end());
            items = std::move(joined);
        }
        return items;
    }

    /// A run as one item: a group for all of it, and for each block one, unless that is a single operator or group.
    BlockItem join(const std::vector<BlockItem>& items, const BlockRun& run, int depth) {
        const size_t model = run.bounds[run.model];
        uint64_t unit = run.period == 1 ? items[model].hash : 0;
        if (run.period > 1)
            for (size_t i = model; i < model + run.period; ++i) unit = mixed(unit, items[i].hash);
        const uint32_t begin = items[run.bounds.front()].begin, end = items[run.bounds.back() - 1].end;
        std::vector<BlockItem> blocks;
        for (size_t k = 0; k < run.times(); ++k)
            blocks.push_back(block_of(items, run.bounds[k], run.bounds[k + 1], unit, depth));
        BlockItem whole{begin, end, items[run.bounds.front()].reach, -1, mixed(unit, run.times())};
        whole.group = add(FoundForm::Run, begin, end, unit);
        FoundBlock& made = found_.blocks[size_t(whole.group)];
        made.times = uint32_t(run.times());
        made.of_operators = run.period == 1 && items[model].size() == 1;
        for (const BlockItem& block : blocks) adopt(block, whole.group);
        return whole;
    }

    /// Items [first, end) as a block of the kind `unit`.
    BlockItem block_of(const std::vector<BlockItem>& items, size_t first, size_t end, uint64_t unit, int depth) {
        const bool single = end - first == 1;
        if (single && (items[first].group >= 0 || items[first].size() == 1)) {
            const int32_t group = items[first].group;
            if (group >= 0 && found_.blocks[size_t(group)].form == FoundForm::Block) kind_[size_t(group)] = unit;
            return items[first];
        }
        std::vector<BlockItem> inside(items.begin() + ptrdiff_t(first), items.begin() + ptrdiff_t(end));
        if (depth < kDeepest && inside.size() > 3) inside = join_runs(std::move(inside), depth + 1);
        BlockItem block{items[first].begin, items[end - 1].end, items[first].reach, -1, unit};
        block.group = add(FoundForm::Block, block.begin, block.end, unit);
        for (const BlockItem& item : inside) adopt(item, block.group);
        return block;
    }

    /// A repeated stretch, or a run of small ones, that is far smaller than one block of the network is plain
    /// operators: the normalization before the first layer is no block.
    void dissolve_small_blocks() {
        uint32_t largest = 0;
        for (const BlockItem& item : items_)
            if (item.group >= 0 && found_.blocks[size_t(item.group)].times > 0)
                largest = std::max(largest, item.size() / found_.blocks[size_t(item.group)].times);
        for (BlockItem& item : items_) {
            if (item.group < 0) continue;
            const bool run = found_.blocks[size_t(item.group)].form == FoundForm::Run;
            if (item.size() * (run ? 2 : 4) > largest) continue;
            for (uint32_t i = item.begin; i < item.end; ++i) found_.block_of[order_[i]] = -1;
            item.group = -1;
        }
    }

    /// What lies between blocks, and what makes values that all of them share, each as one.
    void gather_stretches() {
        if (found_.blocks.empty()) return;
        dissolve_small_blocks();
        gather_shared();
        for (size_t first = 0, end = 0; first < items_.size(); first = end) {
            const uint32_t border = items_[first].begin < places_.moved() ? places_.moved() : UINT32_MAX;
            end = first;
            while (end < items_.size() && items_[end].group < 0 && items_[end].begin < border) ++end;
            if (end == first) ++end;
            else if (border == UINT32_MAX) gather(items_[first].begin, items_[end - 1].end);
        }
    }

    void gather(uint32_t begin, uint32_t end) {
        if (end - begin < kShortestStretch) return;
        const int32_t stretch = add(FoundForm::Stretch, begin, end, 0);
        for (uint32_t i = begin; i < end; ++i) found_.block_of[order_[i]] = stretch;
    }

    /// Of what was moved to the beginning, the operators that hang together.
    void gather_shared() {
        std::vector<uint32_t> root(places_.moved());
        std::iota(root.begin(), root.end(), 0u);
        const auto find = [&root](uint32_t i) {
            while (root[i] != i) i = root[i] = root[root[i]];
            return i;
        };
        for (uint32_t i = 0; i < root.size(); ++i)
            for (uint32_t from : graph_.producers(order_[i]))
                if (const uint32_t place = places_.place(from); place < root.size()) root[find(i)] = find(place);
        std::map<uint32_t, std::vector<uint32_t>> parts;
        for (uint32_t i = 0; i < root.size(); ++i)
            if (found_.block_of[order_[i]] < 0) parts[find(i)].push_back(i);
        for (const auto& [key, places] : parts) {
            if (places.size() < kShortestStretch) continue;
            const int32_t stretch = add(FoundForm::Stretch, places.front(), places.back() + 1, 0);
            for (uint32_t i : places) found_.block_of[order_[i]] = stretch;
        }
    }

    /// Within a block, branches that are alike: blocks side by side.
    void split_branches(const BlockItem& stretch) {
        const int32_t within = found_.block_of[order_[stretch.begin]];
        if (within < 0 || found_.blocks[size_t(within)].form != FoundForm::Block) return;
        BlockNodes nodes;
        for (uint32_t i = stretch.begin; i < stretch.end; ++i) {
            if (found_.block_of[order_[i]] != within) return;
            nodes.push_back(order_[i]);
        }
        for (const std::vector<BlockNodes>& branches : find_parallel_blocks(graph_, nodes)) {
            const uint64_t unit = mixed(branches.size(), hash_of_kinds(branches.front()));
            const int32_t run = add_branches(FoundForm::Run, branches.front(), unit, within);
            found_.blocks[size_t(run)].times = uint32_t(branches.size());
            for (const BlockNodes& branch : branches) {
                const int32_t block = add_branches(FoundForm::Block, branch, unit, run);
                for (uint32_t node : branch) found_.block_of[node] = block;
            }
        }
    }

    int32_t add_branches(FoundForm form, const BlockNodes& nodes, uint64_t kind, int32_t parent) {
        const int32_t made = add(form, places_.place(nodes.front()), places_.place(nodes.back()) + 1, kind);
        found_.blocks[size_t(made)].parent = parent;
        return made;
    }

    uint64_t hash_of_kinds(const BlockNodes& nodes) const {
        uint64_t hash = 0;
        for (uint32_t node : nodes) hash += mixed(19, graph_.kind[node]);
        return hash;
    }

    /// Puts the outermost blocks first, and drops those in which nothing lies any more.
    void sort() {
        const size_t count = found_.blocks.size();
        std::vector<bool> is_used(count);
        for (int32_t block : found_.block_of)
            for (; block >= 0 && !is_used[size_t(block)]; block = found_.blocks[size_t(block)].parent)
                is_used[size_t(block)] = true;
        std::vector<uint32_t> depth(count), order;
        for (uint32_t i = 0; i < count; ++i) {
            if (is_used[i]) order.push_back(i);
            for (int32_t above = found_.blocks[i].parent; above >= 0; above = found_.blocks[size_t(above)].parent)
                ++depth[i];
        }
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            if (depth[a] != depth[b]) return depth[a] < depth[b];
            return places_.place(found_.blocks[a].first) < places_.place(found_.blocks[b].first);
        });
        std::vector<int32_t> now(count, -1);
        for (size_t i = 0; i < order.size(); ++i) now[order[i]] = int32_t(i);
        std::vector<FoundBlock> sorted;
        std::vector<uint64_t> kinds;
        for (uint32_t old : order) {
            sorted.push_back(found_.blocks[old]);
            if (int32_t& parent = sorted.back().parent; parent >= 0) parent = now[size_t(parent)];
            kinds.push_back(kind_[old]);
        }
        found_.blocks = std::move(sorted);
        kind_ = std::move(kinds);
        for (int32_t& block : found_.block_of)
            if (block >= 0) block = now[size_t(block)];
    }

    /// The outermost blocks have the first letters.
    void give_letters() {
        std::unordered_map<uint64_t, uint32_t> letters;
        for (size_t i = 0; i < found_.blocks.size(); ++i) {
            FoundBlock& block = found_.blocks[i];
            if (block.form == FoundForm::Stretch || block.of_operators) continue;
            block.letter = letters.try_emplace(kind_[i], uint32_t(letters.size())).first->second;
        }
    }

    const BlockGraph& graph_;
    const CancelToken& cancel_;
    CancelCheck cancelled_;
    const BlockOrder places_;
    const std::vector<uint32_t>& order_;
    const uint32_t longest_;
    std::vector<uint32_t> kinds_;  ///< of operators in their order
    std::vector<uint64_t> node_hash_;
    std::vector<BlockItem> items_, stretches_;  ///< stretches: those that may hold branches
    FoundBlocks found_;
    std::vector<uint64_t> kind_;  ///< by found block
};

}  // namespace

FoundBlocks find_repeated_blocks(const BlockGraph& graph, const CancelToken& cancel) {
    const BlockOrder order(graph);
    const uint32_t count = uint32_t(order.order().size());
    auto best = std::make_unique<BlockFinder>(graph, order, count, cancel);
    best->find();
    // Ever shorter lives are left out of the cuts, as long as the graph falls into many parts.
    std::vector<uint32_t> limits{count};
    for (uint32_t longest = order.longest_life() / 2; longest >= kShortestLife; longest /= 2) limits.push_back(longest);
    if (limits.size() == 1 || best->parts() <= kFewParts) limits.clear();
    const std::vector<size_t> cuts = order.count_cuts(limits);
    for (size_t i = 1, last = 0; i < limits.size() && best->parts() > kFewParts && !cancel.cancelled(); ++i) {
        if (cuts[i] <= cuts[last]) continue;
        last = i;
        BlockOrder moved = order;
        moved.move_long_lived(limits[i]);
        auto found = std::make_unique<BlockFinder>(graph, std::move(moved), limits[i], cancel);
        found->find();
        if (found->parts() < best->parts()) best = std::move(found);
    }
    if (cancel.cancelled()) return {};
    return best->take();
}

std::string block_letter(uint32_t number) {
    std::string letters;
    for (uint32_t i = number + 1; i > 0; i = (i - 1) / 26) letters.insert(letters.begin(), char('A' + (i - 1) % 26));
    return letters;
}

}  // namespace partita
