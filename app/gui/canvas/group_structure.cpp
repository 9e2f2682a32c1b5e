// Groups by repeated structure, see graph_groups.h.
#include <algorithm>
#include <unordered_map>

#include <QLocale>
#include <QObject>

#include "app/gui/canvas/graph_groups.h"
#include "engine/support/cancel_check.h"

namespace partita {

namespace {

constexpr size_t kLongestPeriod = 24;   ///< in stretches
constexpr int kRounds = 3;              ///< repeats of repeats of repeats
constexpr uint32_t kSmallestBlock = 3;  ///< nodes

uint64_t mix(uint64_t hash, uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdull;
}

/// Operators in topological order, without inputs and weights: those would keep every cut from being one.
std::vector<uint32_t> order_of(const GraphModel& model) {
    std::vector<uint32_t> order;
    for (uint32_t node = 0; node < model.nodes.size(); ++node)
        if (!model.incoming(node).empty()) order.push_back(node);
    return order;
}

class StructureFinder {
public:
    StructureFinder(const GraphModel& model, const CancelToken& cancel)
        : model_(model), cancel_(cancel), cancelled_(cancel), order_(order_of(model)),
          place_(model.nodes.size(), UINT32_MAX) {
        for (uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    }

    GroupTree find() {
        tree_.group_of.assign(model_.nodes.size(), -1);
        cut_into_stretches();
        if (!cancel_.cancelled()) name_blocks();
        for (int round = 0; round < kRounds && items_.size() > 1 && !cancel_.cancelled(); ++round)
            if (!join_repeats()) break;
        return std::move(tree_);
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
            uint32_t last = i;
            for (uint32_t edge : model_.outgoing(order_[i])) last = std::max(last, place_[model_.edges[edge].to]);
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
                const uint32_t from = place_[model_.edges[edge].from];
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
        whole.group = add_group(QStringLiteral("%1 ×%2").arg(name, QLocale().toString(qulonglong(times))), begin, end);
        for (const Item& part : parts) adopt(part, -1, whole.group);
        return whole;
    }

    const GraphModel& model_;
    const CancelToken& cancel_;
    CancelCheck cancelled_;
    std::vector<uint32_t> order_, place_;
    std::vector<Item> items_;
    GroupTree tree_;
    std::unordered_map<uint64_t, uint32_t> letters_;
};

}  // namespace

GroupTree group_by_structure(const GraphModel& full, const CancelToken& cancel) {
    return StructureFinder(full, cancel).find();
}

}  // namespace partita
