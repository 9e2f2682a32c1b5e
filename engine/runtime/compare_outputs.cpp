#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/runtime/run.h"

namespace partita {

namespace {

/// The fraction of the tensor's scale that is added to each element's magnitude. Sums of float32 in another order
/// differ by up to 1.3e-6 of the scale in whole networks (8 models, 64 sets of random values); a tolerance of 1e-4
/// allows 5e-6.
constexpr double kShareOfScale = 0.05;

/// A backend that sums in another order than `default`, or by Winograd's algorithm, is up to about three times as far
/// from float64. A fault that makes `default` itself useless as a measure must not excuse everything.
constexpr double kWorseThanDefault = 4, kMostTolerances = 100;

/// Returns the finest useful tolerance of a type: four units in the last place. Another order of accumulation alone
/// makes that much of a difference.
double finest_tolerance(DataType dtype) {
    if (dtype.bits != 16) return 0;
    return 4 * std::ldexp(1.0, dtype.code == DataType::Code::BFloat ? -7 : -10);
}

double largest_magnitude(const Tensor& tensor) {
    double largest = 0;
    for (int64_t i = 0; i < tensor.size(); ++i) {
        double magnitude = std::fabs(tensor.at(i));
        if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
    }
    return largest;
}

/// Returns how far two elements are apart; those of 64 bits are compared as they are, as double does not hold them.
double distance(const Tensor& x, const Tensor& y, int64_t i) {
    const auto exact = [i](const auto* a, const auto* b) {
        return double(a[i] > b[i] ? uint64_t(a[i]) - uint64_t(b[i]) : uint64_t(b[i]) - uint64_t(a[i]));
    };
    if (x.dtype() == kInt64 && y.dtype() == kInt64) return exact(x.data<int64_t>(), y.data<int64_t>());
    if (x.dtype() == kUInt64 && y.dtype() == kUInt64) return exact(x.data<uint64_t>(), y.data<uint64_t>());
    const double a = x.at(i), b = y.at(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    return std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) : std::numeric_limits<double>::infinity();
}

struct Errors {
    double absolute = 0, relative = 0;
};

/// Returns the largest errors of a tensor against one of the same shape, as OutputDifference defines them.
Errors errors_against(const Tensor& output, const Tensor& expected) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Errors largest;
    // Numbers below the smallest normal one may be flushed to zero.
    const double floor =
        std::max(kShareOfScale * largest_magnitude(expected), double(std::numeric_limits<float>::min()));
    for (int64_t i = 0; i < expected.size(); ++i) {
        const double absolute = distance(output, expected, i), b = expected.at(i);
        if (absolute == 0) continue;
        largest.absolute = std::max(largest.absolute, absolute);
        const double relative = std::isfinite(absolute) ? absolute / (std::fabs(b) + floor) : infinity;
        largest.relative = std::max(largest.relative, relative);
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
    bool exact = !expected.dtype().is_float();
    difference.tolerance = exact ? 0 : std::max(tolerance, finest_tolerance(expected.dtype()));
    const Errors errors = errors_against(output, expected);
    difference.max_abs_error = errors.absolute;
    difference.max_rel_error = errors.relative;
    difference.within_tolerance =
        exact ? difference.max_abs_error == 0 : difference.max_rel_error <= difference.tolerance;
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

bool wants_judging(const std::vector<OutputDifference>& differences) {
    return std::any_of(differences.begin(), differences.end(), [](const OutputDifference& each) {
        return !each.within_tolerance && each.tolerance > 0 && std::isfinite(each.max_rel_error);
    });
}

void judge(std::vector<OutputDifference>& differences, const std::vector<Tensor>& outputs,
           const std::vector<Tensor>& expected, const std::vector<Tensor>& in_double) {
    for (OutputDifference& each : differences) {
        const size_t i = size_t(each.output);
        if (!wants_judging({each}) || i >= in_double.size() || in_double[i].shape() != expected[i].shape()) continue;
        const double own = errors_against(outputs[i], in_double[i]).relative;
        const double other = errors_against(expected[i], in_double[i]).relative;
        each.from_double = OutputDifference::FromDouble{own, other};
        const double allowed = std::min(kWorseThanDefault * other, kMostTolerances * each.tolerance);
        each.within_tolerance = own <= std::max(each.tolerance, allowed);
    }
}

}  // namespace partita
