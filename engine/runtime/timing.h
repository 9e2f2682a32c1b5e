// A clock, and what several measurements of one thing come to.
#pragma once

#include <chrono>
#include <span>

#include "engine/runtime/run.h"

namespace partita {

class Stopwatch {
public:
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }
    /// The time since the start or the last lap.
    double lap() {
        auto now = std::chrono::steady_clock::now();
        double passed = std::chrono::duration<double, std::milli>(now - start_).count();
        start_ = now;
        return passed;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Median, minimum and interquartile range (quartiles by linear interpolation). Zero where there are no samples.
Timing summarize_times(std::span<const double> milliseconds);

}  // namespace partita
