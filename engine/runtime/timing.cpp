#include "engine/runtime/timing.h"

#include <algorithm>
#include <vector>

namespace partita {

namespace {

double quantile(const std::vector<double>& sorted, double fraction) {
    double place = fraction * double(sorted.size() - 1);
    size_t below = size_t(place);
    size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

namespace {

/// Returns the range of the medians of consecutive fifths.
double drift_of(std::span<const double> samples) {
    constexpr size_t kParts = 5;
    if (samples.size() < kParts) return 0;
    double least = 0, most = 0;
    for (size_t part = 0; part < kParts; ++part) {
        const size_t begin = samples.size() * part / kParts, end = samples.size() * (part + 1) / kParts;
        std::vector<double> sorted(samples.begin() + begin, samples.begin() + end);
        std::sort(sorted.begin(), sorted.end());
        const double median = quantile(sorted, 0.5);
        least = part == 0 ? median : std::min(least, median);
        most = part == 0 ? median : std::max(most, median);
    }
    return most - least;
}

}  // namespace

Timing summarize_times(std::span<const double> milliseconds) {
    if (milliseconds.empty()) return {};
    std::vector<double> sorted(milliseconds.begin(), milliseconds.end());
    std::sort(sorted.begin(), sorted.end());
    return {quantile(sorted, 0.5), sorted.front(), quantile(sorted, 0.75) - quantile(sorted, 0.25), int(sorted.size()),
            drift_of(milliseconds)};
}

}  // namespace partita
