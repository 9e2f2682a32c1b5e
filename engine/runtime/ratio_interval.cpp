#include "engine/runtime/ratio_interval.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace partita {

namespace {

/// Returns, by u, in how many orders of n + m measurements u pairs are the other way round: the coefficients of the
/// Gaussian binomial.
std::vector<double> order_counts(size_t n, size_t m) {
    std::vector<double> counts(n * m + 1, 0);
    counts[0] = 1;
    for (size_t i = 1; i <= n; ++i) {
        for (size_t u = n * m; u >= m + i; --u) counts[u] -= counts[u - m - i];
        for (size_t u = i; u <= n * m; ++u) counts[u] += counts[u - i];
    }
    return counts;
}

/// Returns how many of the sorted pairs at each end are outside of the interval, and one more; 0: too few are there.
size_t rank_of_end(size_t n, size_t m) {
    const std::vector<double> counts = order_counts(n, m);
    const double most = std::accumulate(counts.begin(), counts.end(), 0.0) * kTestLevel / 2;
    size_t rank = 0;
    for (double sum = counts[0]; sum <= most; sum += counts[rank]) ++rank;
    return rank;
}

}  // namespace

RatioInterval ratio_interval(std::span<const float> a, std::span<const float> b) {
    RatioInterval interval;
    std::vector<double> ratios;
    for (const float x : a)
        for (const float y : b)
            if (x > 0) ratios.push_back(double(y) / double(x));
    if (ratios.empty() || ratios.size() != a.size() * b.size()) return interval;
    std::sort(ratios.begin(), ratios.end());
    const size_t last = ratios.size() - 1;
    interval.ratio = (ratios[last / 2] + ratios[last - last / 2]) / 2;
    interval.quarter = ratios[last / 4];
    interval.three_quarters = ratios[last - last / 4];
    const size_t rank = rank_of_end(a.size(), b.size());
    if (rank == 0) return interval;
    interval.low = ratios[rank - 1];
    interval.high = ratios[last - rank + 1];
    interval.is_known = true;
    return interval;
}

}  // namespace partita
