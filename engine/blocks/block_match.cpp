#include "engine/blocks/block_match.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "engine/support/common_subsequence.h"

namespace partita {

namespace {

int64_t place_in(const BlockNodes& block, uint32_t node) {
    const auto found = std::lower_bound(block.begin(), block.end(), node);
    return found == block.end() || *found != node ? -1 : found - block.begin();
}

/// One block's match.
class BlockMatch {
public:
    BlockMatch(const BlockGraph& graph, const BlockNodes& usual, const BlockNodes& block)
        : graph_(graph), usual_(usual), block_(block), place_in_usual_(block.size(), -1), taken_(usual.size()) {}

    std::vector<int32_t> match(const BlockLooks& usual, const BlockLooks& block) {
        using Looks = const BlockLooks&;
        match_by(usual, block, [](Looks looks, size_t i) { return mixed(looks.made[i], looks.used[i]); });
        match_by(usual, block, [](Looks looks, size_t i) { return looks.made[i]; });
        match_by(usual, block, [](Looks looks, size_t i) { return looks.used[i]; });
        match_in_order();
        return std::move(place_in_usual_);
    }

private:
    /// The first of those with a key corresponds to the first in the other block, the second to the second.
    template <typename Key>
    void match_by(const BlockLooks& usual, const BlockLooks& block, Key key) {
        std::unordered_map<uint64_t, std::vector<uint32_t>> places;
        for (size_t i = usual_.size(); i-- > 0;)
            if (!taken_[i]) places[key(usual, i)].push_back(uint32_t(i));
        for (size_t i = 0; i < block_.size(); ++i) {
            if (place_in_usual_[i] >= 0) continue;
            const auto found = places.find(key(block, i));
            if (found == places.end() || found->second.empty()) continue;
            take(i, found->second.back());
            found->second.pop_back();
        }
    }

    /// What is left is matched by its kind and order.
    void match_in_order() {
        std::vector<uint32_t> left, right;
        for (uint32_t i = 0; i < usual_.size(); ++i)
            if (!taken_[i]) left.push_back(i);
        for (uint32_t i = 0; i < block_.size(); ++i)
            if (place_in_usual_[i] < 0) right.push_back(i);
        if (left.empty() || right.empty()) return;
        std::vector<uint64_t> left_kinds, right_kinds;
        for (uint32_t i : left) left_kinds.push_back(graph_.kind[usual_[i]]);
        for (uint32_t i : right) right_kinds.push_back(graph_.kind[block_[i]]);
        for (const auto& [a, b] : common_subsequence(left_kinds, right_kinds)) take(right[b], left[a]);
    }

    void take(size_t place, uint32_t in_usual) {
        place_in_usual_[place] = int32_t(in_usual);
        taken_[in_usual] = true;
    }

    const BlockGraph& graph_;
    const BlockNodes &usual_, &block_;
    std::vector<int32_t> place_in_usual_;
    std::vector<bool> taken_;
};

}  // namespace

std::vector<uint64_t> block_hashes(const BlockGraph& graph, const std::vector<BlockNodes>& blocks) {
    std::vector<int32_t> block_of(graph.size(), -1);
    for (size_t i = 0; i < blocks.size(); ++i)
        for (uint32_t node : blocks[i]) block_of[node] = int32_t(i);
    std::vector<uint64_t> made(graph.size()), hashes;
    for (size_t i = 0; i < blocks.size(); ++i) {
        uint64_t all = 0;
        for (uint32_t node : blocks[i]) {
            made[node] =
                made_hash(graph, node, [&](uint32_t from) { return block_of[from] == int32_t(i) ? made[from] : 0; });
            all += mixed(5, made[node]);
        }
        hashes.push_back(all);
    }
    return hashes;
}

size_t usual_block(const std::vector<uint64_t>& hashes) {
    std::unordered_map<uint64_t, uint32_t> count;
    for (uint64_t hash : hashes) ++count[hash];
    size_t best = 0;
    for (size_t i = 1; i < hashes.size(); ++i)
        if (count[hashes[i]] > count[hashes[best]]) best = i;
    return best;
}

std::vector<KindDifference> differences(const BlockGraph& graph, const BlockNodes& usual, const BlockNodes& block) {
    std::map<uint32_t, int32_t> count;
    for (uint32_t node : block) ++count[graph.kind[node]];
    for (uint32_t node : usual) --count[graph.kind[node]];
    std::vector<KindDifference> result;
    for (const auto& [kind, more] : count)
        if (more != 0) result.push_back({kind, more});
    std::stable_sort(result.begin(), result.end(),
                     [](const KindDifference& a, const KindDifference& b) { return a.more > b.more; });
    return result;
}

BlockLooks::BlockLooks(const BlockGraph& graph, const BlockNodes& block) : made(block.size()), used(block.size()) {
    for (size_t i = 0; i < block.size(); ++i)
        made[i] = made_hash(graph, block[i], [&](uint32_t from) {
            const int64_t place = place_in(block, from);
            return place < 0 ? 0 : made[size_t(place)];
        });
    for (size_t i = block.size(); i-- > 0;) {
        uint64_t users = 0;
        for (uint32_t user : graph.users(block[i]))
            if (const int64_t place = place_in(block, user); place >= 0) users += mixed(11, used[size_t(place)]);
        used[i] = mixed(mixed(graph.kind[block[i]], 13), users);
    }
}

std::vector<int32_t> BlockMatcher::places_of(const BlockNodes& block) const {
    const BlockLooks looks(graph_, block);
    if (looks.made == looks_.made && looks.used == looks_.used) {  // of most blocks, and the same that a match gives
        std::vector<int32_t> places(block.size());
        std::iota(places.begin(), places.end(), 0);
        return places;
    }
    return BlockMatch(graph_, usual_, block).match(looks_, looks);
}

}  // namespace partita
