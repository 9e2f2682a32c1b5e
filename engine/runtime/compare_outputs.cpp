#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/runtime/run.h"

namespace partita {

namespace {

/// Elements smaller than this share of the largest one are compared as if they had that size: their relative error
/// says nothing.
constexpr double kSmallestShare = 1e-6;

double largest_magnitude(const Tensor& tensor) {
    double largest = 0;
    for (int64_t i = 0; i < tensor.size(); ++i) {
        double magnitude = std::fabs(tensor.at(i));
        if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
    }
    return largest;
}

OutputDifference compare(const Tensor& output, const Tensor& expected, double tolerance) {
    OutputDifference difference;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (output.dtype() != expected.dtype() || output.shape() != expected.shape()) {
        difference.max_abs_error = difference.max_rel_error = infinity;
        difference.within_tolerance = false;
        return difference;
    }
    double largest = largest_magnitude(expected);
    double floor = std::max(kSmallestShare * largest, std::numeric_limits<double>::min());
    bool exact = !expected.dtype().is_float();
    // Rounding of sums shows in all elements alike, small or large: an element is also right if it is off by a
    // hundredth of the tolerance of the largest one.
    double rounding = exact ? 0 : 0.01 * tolerance * largest;
    for (int64_t i = 0; i < expected.size(); ++i) {
        double a = output.at(i), b = expected.at(i);
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        double absolute = std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) : infinity;
        double relative = absolute / std::max(std::fabs(b), floor);
        difference.max_abs_error = std::max(difference.max_abs_error, absolute);
        difference.max_rel_error = std::max(difference.max_rel_error, relative);
        if (exact || (relative > tolerance && absolute > rounding)) difference.within_tolerance = false;
    }
    return difference;
}

}  // namespace

std::vector<OutputDifference> compare_outputs(const std::vector<Tensor>& outputs, const std::vector<Tensor>& expected,
                                              double tolerance) {
    std::vector<OutputDifference> differences;
    for (size_t i = 0; i < std::max(outputs.size(), expected.size()); ++i) {
        static const Tensor missing;
        OutputDifference difference =
            compare(i < outputs.size() ? outputs[i] : missing, i < expected.size() ? expected[i] : missing, tolerance);
        difference.output = int(i);
        differences.push_back(difference);
    }
    return differences;
}

}  // namespace partita
