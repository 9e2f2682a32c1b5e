// The longest common subsequence of two sequences. Not part of the room's face.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace partita {

/// Positions of equal letters in both, ascending: Myers, "An O(ND) difference algorithm and its variations", 1986, the
/// greedy one. Its time grows with the number of differences, which is bounded: of sequences that have hardly anything
/// in common, what is common at their ends alone is found.
std::vector<std::pair<uint32_t, uint32_t>> common_subsequence(std::span<const uint64_t> left,
                                                              std::span<const uint64_t> right);

}  // namespace partita
