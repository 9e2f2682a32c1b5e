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

/// Returns the medians of consecutive parts.
std::vector<float> medians_of_parts(std::span<const double> samples, size_t parts) {
    std::vector<float> medians;
    for (size_t part = 0; part < parts; ++part) {
        const size_t begin = samples.size() * part / parts, end = samples.size() * (part + 1) / parts;
        std::vector<double> sorted(samples.begin() + begin, samples.begin() + end);
        std::sort(sorted.begin(), sorted.end());
        medians.push_back(float(quantile(sorted, 0.5)));
    }
    return medians;
}

/// Returns the range of the medians of consecutive fifths.
double drift_of(std::span<const double> samples) {
    constexpr size_t kParts = 5;
    if (samples.size() < kParts) return 0;
    const std::vector<float> medians = medians_of_parts(samples, kParts);
    const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
    return *most - *least;
}

}  // namespace

Timing summarize_times(std::span<const double> milliseconds) {
    if (milliseconds.empty()) return {};
    std::vector<double> sorted(milliseconds.begin(), milliseconds.end());
    std::sort(sorted.begin(), sorted.end());
    return {quantile(sorted, 0.5),
            sorted.front(),
            quantile(sorted, 0.75) - quantile(sorted, 0.25),
            int(sorted.size()),
            drift_of(milliseconds),
            medians_of_parts(milliseconds, std::min(milliseconds.size(), kMostParts))};
}

}  // namespace partita
