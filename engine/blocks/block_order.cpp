#include "engine/blocks/block_order.h"

#include <algorithm>
#include <numeric>

namespace partita {

void BlockGraph::connect(std::span<const std::pair<uint32_t, uint32_t>> edges) {
    in_begin.assign(size() + 1, 0);
    out_begin.assign(size() + 1, 0);
    for (const auto& [from, to] : edges) ++out_begin[from + 1], ++in_begin[to + 1];
    std::partial_sum(in_begin.begin(), in_begin.end(), in_begin.begin());
    std::partial_sum(out_begin.begin(), out_begin.end(), out_begin.begin());
    in_list.resize(edges.size());
    out_list.resize(edges.size());
    std::vector<uint32_t> in_next(in_begin.begin(), in_begin.end() - 1),
        out_next(out_begin.begin(), out_begin.end() - 1);
    for (const auto& [from, to] : edges) out_list[out_next[from]++] = to, in_list[in_next[to]++] = from;
}

BlockOrder::BlockOrder(const BlockGraph& graph) : graph_(graph), place_(graph.size(), UINT32_MAX) {
    for (uint32_t node = 0; node < graph.size(); ++node)
        if (!graph.is_source(node)) order_.push_back(node);
    number();
    if (graph.gathering != UINT32_MAX) move_side_results();
}

void BlockOrder::number() {
    for (uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    last_use_.resize(order_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) {
        last_use_[i] = i;
        for (uint32_t user : graph_.users(order_[i]))
            if (user != graph_.gathering) last_use_[i] = std::max(last_use_[i], place_[user]);
    }
}

uint32_t BlockOrder::longest_life() const {
    uint32_t longest = 0;
    for (uint32_t i = 0; i < order_.size(); ++i) longest = std::max(longest, last_use_[i] - i);
    return longest;
}

namespace {

/// Counts for each place the values that cross it, up to two, those of short lives first.
class CrossingCounter {
public:
    explicit CrossingCounter(size_t places) : crossed_(places), next_(places + 1) {
        std::iota(next_.begin(), next_.end(), 0u);
    }

    /// A value that crosses the places [begin, end). Returns how many of them are crossed for the second time.
    size_t add(uint32_t begin, uint32_t end) {
        size_t full = 0;
        for (uint32_t place = open_from(begin); place < end; place = open_from(place + 1)) {
            if (!crossed_[place]) {
                crossed_[place] = true;
                continue;
            }
            next_[place] = place + 1;
            ++full;
        }
        return full;
    }

private:
    /// The first place from one on that less than two values cross.
    uint32_t open_from(uint32_t place) {
        while (next_[place] != place) place = next_[place] = next_[next_[place]];
        return place;
    }

    std::vector<bool> crossed_;
    std::vector<uint32_t> next_;
};

}  // namespace

std::vector<size_t> BlockOrder::count_cuts(const std::vector<uint32_t>& longest) const {
    // By how many of the limits a value counts for: those that count for the most live shortest.
    std::vector<std::vector<uint32_t>> values(longest.size() + 1);
    for (uint32_t i = 0; i < order_.size(); ++i) {
        const uint32_t life = last_use_[i] - i;
        const auto too_short =
            std::partition_point(longest.begin(), longest.end(), [life](uint32_t limit) { return limit >= life; });
        if (life > 0) values[size_t(too_short - longest.begin())].push_back(i);
    }
    CrossingCounter crossings(order_.size());
    std::vector<size_t> cuts(longest.size());
    size_t left = order_.size();
    for (size_t k = longest.size(); k-- > 0;) {
        for (uint32_t i : values[k + 1]) left -= crossings.add(i, last_use_[i]);
        cuts[k] = left;
    }
    return cuts;
}

void BlockOrder::move_long_lived(uint32_t longest) {
    std::vector<bool> first(graph_.size());
    for (size_t i = order_.size(); i-- > 0;) {
        const uint32_t node = order_[i];
        const auto users = graph_.users(node);
        first[node] =
            last_use_[i] - uint32_t(i) > longest ||
            (!users.empty() && std::all_of(users.begin(), users.end(), [&](uint32_t user) { return first[user]; }));
    }
    // What depends on anything later has to stay where it is.
    moved_ = 0;
    for (uint32_t node : order_) {
        for (uint32_t from : graph_.producers(node))
            if (place_[from] != UINT32_MAX && !first[from]) first[node] = false;
        moved_ += first[node];
    }
    std::stable_partition(order_.begin(), order_.end(), [&](uint32_t node) { return first[node]; });
    number();
}

/// Returns what leads to the result that takes the most steps: the trunk of the network. All, if there is one result.
std::vector<bool> BlockOrder::find_trunk() const {
    std::vector<uint32_t> steps(graph_.size());
    std::vector<bool> trunk(graph_.size());
    for (uint32_t node : order_) {
        uint32_t deepest = UINT32_MAX;
        for (uint32_t from : graph_.producers(node)) {
            steps[node] = std::max(steps[node], steps[from] + 1);
            if (deepest == UINT32_MAX || steps[from] > steps[deepest]) deepest = from;
        }
        if (node == graph_.gathering) trunk[node] = trunk[deepest] = true;
        else if (graph_.is_result[node]) trunk[node] = true;
    }
    for (size_t i = order_.size(); i-- > 0;) {
        if (!trunk[order_[i]] || order_[i] == graph_.gathering) continue;
        for (uint32_t from : graph_.producers(order_[i])) trunk[from] = true;
    }
    return trunk;
}

/// What leads to other results than the trunk's moves to right behind the last operator that it takes from.
void BlockOrder::move_side_results() {
    const std::vector<bool> trunk = find_trunk();
    std::vector<uint32_t> behind(graph_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) {
        const uint32_t node = order_[i];
        behind[node] = i;
        if (trunk[node]) continue;
        uint32_t last = 0;
        bool found = false;
        for (uint32_t from : graph_.producers(node)) {
            if (place_[from] == UINT32_MAX) continue;
            last = std::max(last, behind[from]);
            found = true;
        }
        if (found) behind[node] = last;
    }
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return behind[a] < behind[b]; });
    number();
}

}  // namespace partita
