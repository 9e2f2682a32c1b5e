// How much longer one thing takes than another, from measurements of both, and how sure that is.
//
// The ratio is the median of the ratios of all pairs (Hodges, Lehmann, "Estimates of location based on rank tests",
// 1963), its interval holds those that the rank test of Mann and Whitney does not reject: exact, and however far single
// measurements are off, they count as one each. Quadratic in the measurements, of which there are few.
#pragma once

#include <span>

namespace partita {

/// The level of the test: of comparisons of equals, so many find a difference.
inline constexpr double kTestLevel = 0.01;

struct RatioInterval {
    double ratio = 1, low = 1, high = 1;     ///< b to a
    bool is_known = false;                   ///< false where so few measurements can't tell: fewer than five of each
    double quarter = 1, three_quarters = 1;  ///< quartiles of the ratios of all pairs
};
RatioInterval ratio_interval(std::span<const float> a, std::span<const float> b);

}  // namespace partita
