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

Timing summarize_times(std::span<const double> milliseconds) {
    if (milliseconds.empty()) return {};
    std::vector<double> sorted(milliseconds.begin(), milliseconds.end());
    std::sort(sorted.begin(), sorted.end());
    return {quantile(sorted, 0.5), sorted.front(), quantile(sorted, 0.75) - quantile(sorted, 0.25), int(sorted.size())};
}

}  // namespace partita
