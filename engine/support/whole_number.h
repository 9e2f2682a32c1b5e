// Conversion of counts that are computed as floating-point numbers because they may be large.
#pragma once

#include <cmath>
#include <cstdint>

namespace partita {

/// Rounds a count of bytes or operations; too large ones become the maximum.
inline int64_t whole_number(double count) { return count >= 9.2e18 ? INT64_MAX : int64_t(std::llround(count)); }

}  // namespace partita
