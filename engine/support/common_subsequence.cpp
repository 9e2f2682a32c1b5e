#include "engine/support/common_subsequence.h"

#include <algorithm>

namespace partita {

namespace {

/// The greedy forward search. Diagonal k holds the positions with left - right == k.
class GreedySearch {
public:
    GreedySearch(std::span<const uint64_t> left, std::span<const uint64_t> right)
        : left_(left), right_(right), count_(int64_t(left.size())), other_count_(int64_t(right.size())) {}

    std::vector<std::pair<uint32_t, uint32_t>> pairs() {
        int64_t differences = 0;
        while (!extend(differences) && differences < kMostDifferences && work_ < kMostWork) ++differences;
        return pairs_back_from(furthest_diagonal(), differences);
    }

private:
    // 4096 rounds keep 33 MB of positions. The work takes about a tenth of a second.
    static constexpr int64_t kMostDifferences = 4096, kMostWork = 50'000'000;

    /// Finds how far each diagonal gets in `left_` with this many differences. Returns true when it reaches both ends.
    bool extend(int64_t differences) {
        std::vector<int32_t> reached(size_t(differences) + 1);
        bool at_end = false;
        for (int64_t k = -differences; k <= differences; k += 2) {
            int64_t x = differences == 0 ? 0 : start(k, differences);
            const int64_t begin = x;
            while (x < count_ && x - k < other_count_ && left_[size_t(x)] == right_[size_t(x - k)]) ++x;
            work_ += x - begin + 1;
            reached[index(k, differences)] = int32_t(x);
            at_end |= x >= count_ && x - k >= other_count_;
        }
        reached_.push_back(std::move(reached));
        return at_end;
    }

    static size_t index(int64_t k, int64_t differences) { return size_t(k + differences) / 2; }
    int64_t reached(int64_t k, int64_t differences) const {
        return reached_[size_t(differences)][index(k, differences)];
    }

    /// Returns whether the search enters a diagonal from the one above, by skipping a letter of `right_`.
    bool from_above(int64_t k, int64_t differences) const {
        return k == -differences ||
               (k != differences && reached(k - 1, differences - 1) < reached(k + 1, differences - 1));
    }
    int64_t start(int64_t k, int64_t differences) const {
        return from_above(k, differences) ? reached(k + 1, differences - 1) : reached(k - 1, differences - 1) + 1;
    }

    int64_t furthest_diagonal() const {
        const int64_t differences = int64_t(reached_.size()) - 1;
        int64_t best = -differences, most = -1;
        for (int64_t k = -differences; k <= differences; k += 2) {
            const int64_t x = reached(k, differences), y = x - k;
            if (x > count_ || y > other_count_ || x + y <= most) continue;
            best = k;
            most = x + y;
        }
        return best;
    }

    std::vector<std::pair<uint32_t, uint32_t>> pairs_back_from(int64_t k, int64_t differences) const {
        std::vector<std::pair<uint32_t, uint32_t>> pairs;
        for (; differences >= 0; --differences) {
            const int64_t begin = differences == 0 ? 0 : start(k, differences);
            for (int64_t x = reached(k, differences); x-- > begin;) pairs.emplace_back(uint32_t(x), uint32_t(x - k));
            if (differences > 0) k += from_above(k, differences) ? 1 : -1;
        }
        std::reverse(pairs.begin(), pairs.end());
        return pairs;
    }

    std::span<const uint64_t> left_, right_;
    const int64_t count_, other_count_;
    int64_t work_ = 0;
    std::vector<std::vector<int32_t>> reached_;  ///< by differences, then by diagonal
};

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> common_subsequence(std::span<const uint64_t> left,
                                                              std::span<const uint64_t> right) {
    size_t tail = 0;
    while (tail < std::min(left.size(), right.size()) && left[left.size() - 1 - tail] == right[right.size() - 1 - tail])
        ++tail;
    std::vector<std::pair<uint32_t, uint32_t>> pairs =
        GreedySearch(left.first(left.size() - tail), right.first(right.size() - tail)).pairs();
    for (size_t i = tail; i > 0; --i) pairs.emplace_back(uint32_t(left.size() - i), uint32_t(right.size() - i));
    return pairs;
}

}  // namespace partita
