// Counts that are kept as floating-point numbers, for they may be large, as what they are.
#pragma once

#include <cmath>
#include <cstdint>

namespace partita {

/// Of a count of bytes or operations; what is too large becomes the largest.
inline int64_t whole_number(double count) { return count >= 9.2e18 ? INT64_MAX : int64_t(std::llround(count)); }

}  // namespace partita
