#include "engine/support/spelling.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace partita {

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < b.size(); ++j) {
            size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string_view nearest_spelling(std::string_view word, std::span<const std::string_view> candidates) {
    constexpr size_t kLongestWord = 64;
    if (word.size() > kLongestWord) return "";
    std::string_view best;
    size_t best_distance = std::max<size_t>(word.size() / 3, 1) + 1;
    for (std::string_view candidate : candidates) {
        if (candidate.size() > kLongestWord) continue;
        size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace partita
