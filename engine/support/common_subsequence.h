// The longest common subsequence of two sequences.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace partita {

/// Returns the positions of equal letters in both, ascending. This is the greedy algorithm of Myers, "An O(ND)
/// difference algorithm and its variations", 1986. Its time grows with the number of differences, which is bounded: for
/// sequences that have hardly anything in common it finds only their common prefix and suffix.
std::vector<std::pair<uint32_t, uint32_t>> common_subsequence(std::span<const uint64_t> left,
                                                              std::span<const uint64_t> right);

}  // namespace partita
