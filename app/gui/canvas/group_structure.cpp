// Groups by repeated structure, see graph_groups.h.
#include <algorithm>
#include <unordered_map>

#include <QObject>

#include "app/gui/canvas/graph_groups.h"
#include "engine/support/cancel_check.h"

namespace partita {

namespace {

constexpr size_t kLongestPeriod = 24;   ///< in stretches
constexpr int kRounds = 3;              ///< repeats of repeats of repeats
constexpr uint32_t kSmallestBlock = 3;  ///< nodes
constexpr uint32_t kShortestLife = 24;  ///< of a value that may be shared by blocks, in operators
constexpr size_t kFewParts = 16;        ///< a graph of fewer parts is read at a glance

uint64_t mix(uint64_t hash, uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdull;
}

/// Returns whether a node only gathers the results of the function: being in them keeps no value alive.
bool gathers_results(const GraphNode& node) { return node.is_output && node.kind == GraphNodeKind::Tuple; }

/// Operators in an order in which each block of a network is one stretch: topological, without inputs and weights,
/// which would keep every cut from being one. Side results, as a layer's cache, follow the layer that makes them. With
/// `longest`, what only makes values that live longer, as a mask that every layer takes, comes first.
class BlockOrder {
public:
    explicit BlockOrder(const GraphModel& model) : model_(model), place_(model.nodes.size(), UINT32_MAX) {
        for (uint32_t node = 0; node < model.nodes.size(); ++node)
            if (!model.incoming(node).empty()) order_.push_back(node);
        number();
        move_side_results();
    }

    const std::vector<uint32_t>& order() const { return order_; }
    uint32_t place(uint32_t node) const { return place_[node]; }

    /// The place of the last user but for what gathers the results; its own without one.
    uint32_t last_use(uint32_t node) const {
        uint32_t last = place_[node];
        for (uint32_t edge : model_.outgoing(node))
            if (!gathers_results(model_.nodes[model_.edges[edge].to]))
                last = std::max(last, place_[model_.edges[edge].to]);
        return last;
    }

    /// Returns the number of operators from where a value is made to its last use, of the value that lives longest.
    uint32_t longest_life() const {
        uint32_t longest = 0;
        for (uint32_t i = 0; i < order_.size(); ++i) longest = std::max(longest, last_use(order_[i]) - i);
        return longest;
    }

    void move_long_lived(uint32_t longest) {
        std::vector<bool> first(model_.nodes.size());
        for (size_t i = order_.size(); i-- > 0;) {
            const uint32_t node = order_[i];
            const auto users = model_.outgoing(node);
            first[node] = last_use(node) - uint32_t(i) > longest ||
                          (!users.empty() && std::all_of(users.begin(), users.end(),
                                                         [&](uint32_t edge) { return first[model_.edges[edge].to]; }));
        }
        // What depends on anything later has to stay where it is.
        for (uint32_t node : order_)
            for (uint32_t edge : model_.incoming(node)) {
                const uint32_t from = model_.edges[edge].from;
                if (place_[from] != UINT32_MAX && !first[from]) first[node] = false;
            }
        std::stable_partition(order_.begin(), order_.end(), [&](uint32_t node) { return first[node]; });
        number();
    }

private:
    void number() {
        for (uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    }

    /// Returns what leads to the result that takes the most steps: the trunk of the network. All, if there is one
    /// result.
    std::vector<bool> find_trunk() const {
        std::vector<uint32_t> steps(model_.nodes.size());
        std::vector<bool> trunk(model_.nodes.size());
        for (uint32_t node : order_) {
            uint32_t deepest = UINT32_MAX;
            for (uint32_t edge : model_.incoming(node)) {
                const uint32_t from = model_.edges[edge].from;
                steps[node] = std::max(steps[node], steps[from] + 1);
                if (deepest == UINT32_MAX || steps[from] > steps[deepest]) deepest = from;
            }
            if (gathers_results(model_.nodes[node])) trunk[node] = trunk[deepest] = true;
            else if (model_.nodes[node].is_output) trunk[node] = true;
        }
        for (size_t i = order_.size(); i-- > 0;) {
            if (!trunk[order_[i]] || gathers_results(model_.nodes[order_[i]])) continue;
            for (uint32_t edge : model_.incoming(order_[i])) trunk[model_.edges[edge].from] = true;
        }
        return trunk;
    }

    /// What leads to other results than the trunk's moves to right behind the last operator that it takes from.
    void move_side_results() {
        if (std::none_of(model_.nodes.begin(), model_.nodes.end(), gathers_results)) return;
        const std::vector<bool> trunk = find_trunk();
        std::vector<uint32_t> behind(model_.nodes.size());
        for (uint32_t i = 0; i < order_.size(); ++i) {
            const uint32_t node = order_[i];
            behind[node] = i;
            if (trunk[node]) continue;
            uint32_t last = 0;
            bool found = false;
            for (uint32_t edge : model_.incoming(node)) {
                const uint32_t from = model_.edges[edge].from;
                if (place_[from] == UINT32_MAX) continue;
                last = std::max(last, behind[from]);
                found = true;
            }
            if (found) behind[node] = last;
        }
        std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return behind[a] < behind[b]; });
        number();
    }

    const GraphModel& model_;
    std::vector<uint32_t> order_, place_;
};

/// What was found, and in how many parts it shows the graph.
struct FoundBlocks {
    GroupTree tree;
    size_t parts = 0;
};

class StructureFinder {
public:
    /// Values that live for more than `longest` operators cross cuts without being counted: masks, tables of positions
    /// and the like are shared by all blocks.
    StructureFinder(const GraphModel& model, BlockOrder order, uint32_t longest, const CancelToken& cancel)
        : model_(model), cancel_(cancel), cancelled_(cancel), places_(std::move(order)), order_(places_.order()),
          longest_(longest) {}

    FoundBlocks find() {
        tree_.group_of.assign(model_.nodes.size(), -1);
        cut_into_stretches();
        if (!cancel_.cancelled()) name_blocks();
        for (int round = 0; round < kRounds && items_.size() > 1 && !cancel_.cancelled(); ++round)
            if (!join_repeats()) break;
        size_t parts = 0;
        for (const Item& item : items_) parts += item.group >= 0 ? 1 : item.end - item.begin;
        return {std::move(tree_), parts};
    }

private:
    /// A stretch, or a group of them: operators [begin, end) of the order.
    struct Item {
        uint32_t begin = 0, end = 0;
        uint64_t hash = 0;
        int32_t group = -1;
    };

    void cut_into_stretches() {
        const uint32_t count = uint32_t(order_.size());
        // How many values cross from operator i to the next: +1 where one is made, -1 after its last use.
        std::vector<int32_t> change(size_t(count) + 1, 0);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t last = places_.last_use(order_[i]);
            if (last - i > longest_) continue;
            ++change[i];
            --change[last];
        }
        int32_t live = 0;
        uint32_t begin = 0;
        for (uint32_t i = 0; i < count && !cancelled_(); ++i) {
            live += change[i];
            if (live > 1 && i + 1 < count) continue;
            items_.push_back({begin, i + 1, hash_of(begin, i + 1), -1});
            begin = i + 1;
        }
    }

    /// Of the operators and how they are wired; what comes from outside is all the same.
    uint64_t hash_of(uint32_t begin, uint32_t end) {
        uint64_t hash = end - begin;
        for (uint32_t i = begin; i < end; ++i) {
            hash = mix(hash, uint64_t(qHash(model_.nodes[order_[i]].title)));
            for (uint32_t edge : model_.incoming(order_[i])) {
                const uint32_t from = places_.place(model_.edges[edge].from);
                hash = mix(hash, from == UINT32_MAX || from < begin ? 0 : i - from);
            }
        }
        return hash;
    }

    /// A stretch of several operators that comes more than once is a block with a letter.
    void name_blocks() {
        std::unordered_map<uint64_t, uint32_t> count;
        for (const Item& item : items_) ++count[item.hash];
        for (Item& item : items_) {
            if (cancelled_()) return;
            if (item.end - item.begin < kSmallestBlock || count[item.hash] < 2) continue;
            item.group = add_group(block_name(item.hash), item.begin, item.end);
            adopt(item, -1, item.group);
        }
    }

    QString block_name(uint64_t hash) {
        const auto [found, added] = letters_.try_emplace(hash, uint32_t(letters_.size()));
        QString letters;
        for (uint32_t i = found->second + 1; i > 0; i = (i - 1) / 26) letters.prepend(QChar('A' + int((i - 1) % 26)));
        return QObject::tr("Block %1").arg(letters);
    }

    int32_t add_group(const QString& title, uint32_t begin, uint32_t end) {
        GraphGroup group;
        group.title = title;
        group.first = order_[begin];
        group.size = end - begin;
        tree_.groups.push_back(group);
        return int32_t(tree_.groups.size()) - 1;
    }

    /// Puts what an item is made of into a group: the item's own group, or its operators that are in `now`.
    void adopt(const Item& item, int32_t now, int32_t group) {
        if (item.group >= 0 && item.group != group) {
            tree_.groups[size_t(item.group)].parent = group;
            return;
        }
        for (uint32_t i = item.begin; i < item.end; ++i)
            if (tree_.group_of[order_[i]] == now) tree_.group_of[order_[i]] = group;
    }

    /// For each period, how many items from here on equal the one a period later.
    std::vector<std::vector<uint32_t>> matches() const {
        std::vector<std::vector<uint32_t>> result(kLongestPeriod + 1);
        for (size_t period = 1; period <= kLongestPeriod && period < items_.size(); ++period) {
            std::vector<uint32_t>& run = result[period];
            if (cancel_.cancelled()) return result;
            run.assign(items_.size() - period + 1, 0);
            for (size_t i = items_.size() - period; i-- > 0;)
                run[i] = items_[i].hash == items_[i + period].hash ? run[i + 1] + 1 : 0;
        }
        return result;
    }

    bool join_repeats() {
        const std::vector<std::vector<uint32_t>> run = matches();
        std::vector<Item> joined;
        bool any = false;
        for (size_t i = 0; i < items_.size() && !cancelled_();) {
            size_t best = 0, covered = 0;
            for (size_t period = 1; period <= kLongestPeriod && i < run[period].size(); ++period) {
                const size_t times = run[period][i] / period + 1;
                const uint32_t nodes = items_[i + period - 1].end - items_[i].begin;
                if (times < 2 || times * period <= covered || nodes * times < size_t(2) * kSmallestBlock) continue;
                best = period;
                covered = times * period;
            }
            if (best == 0) {
                joined.push_back(items_[i++]);
                continue;
            }
            joined.push_back(join(i, best, covered / best));
            i += covered;
            any = true;
        }
        items_ = std::move(joined);
        return any;
    }

    /// Items [at, at + period * times) as one: a group for the run, and for each time one, unless that is a group or a
    /// single operator already.
    Item join(size_t at, size_t period, size_t times) {
        const uint32_t begin = items_[at].begin, end = items_[at + period * times - 1].end;
        uint64_t unit = 0;
        for (size_t i = at; i < at + period; ++i) unit = mix(unit, items_[i].hash);
        QString name;
        std::vector<Item> parts;
        for (size_t k = 0; k < times; ++k) {
            const size_t from = at + k * period;
            if (period == 1) {
                parts.push_back(items_[from]);
                const Item& item = parts.back();
                name =
                    item.group >= 0 ? tree_.groups[size_t(item.group)].title : model_.nodes[order_[item.begin]].title;
                if (item.group < 0 && item.end - item.begin > 1) name = block_name(unit);
                continue;
            }
            Item part{items_[from].begin, items_[from + period - 1].end, unit, -1};
            name = block_name(unit);
            part.group = add_group(name, part.begin, part.end);
            for (size_t i = from; i < from + period; ++i) adopt(items_[i], -1, part.group);
            parts.push_back(part);
        }
        Item whole{begin, end, mix(unit, times), -1};
        whole.group = add_group(run_title(name, times), begin, end);
        tree_.groups[size_t(whole.group)].times = uint32_t(times);
        for (const Item& part : parts) adopt(part, -1, whole.group);
        return whole;
    }

    const GraphModel& model_;
    const CancelToken& cancel_;
    CancelCheck cancelled_;
    const BlockOrder places_;
    const std::vector<uint32_t>& order_;
    const uint32_t longest_;
    std::vector<Item> items_;
    GroupTree tree_;
    std::unordered_map<uint64_t, uint32_t> letters_;
};

}  // namespace

GroupTree group_by_structure(const GraphModel& full, const CancelToken& cancel) {
    const BlockOrder order(full);
    const uint32_t count = uint32_t(order.order().size());
    FoundBlocks best = StructureFinder(full, order, count, cancel).find();
    // Ever shorter lives are left out of the cuts, as long as the graph falls into many parts.
    for (uint32_t longest = order.longest_life() / 2; longest >= kShortestLife && best.parts > kFewParts;
         longest /= 2) {
        BlockOrder moved = order;
        moved.move_long_lived(longest);
        FoundBlocks found = StructureFinder(full, std::move(moved), longest, cancel).find();
        if (cancel.cancelled()) return {};
        if (found.parts < best.parts) best = std::move(found);
    }
    return std::move(best.tree);
}

}  // namespace partita
