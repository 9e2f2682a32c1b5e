// Wall time in milliseconds.
#pragma once

#include <chrono>

namespace partita {

class Stopwatch {
public:
    double milliseconds() const { return since(start_, Clock::now()); }
    /// Returns the time since the start or the last lap.
    double lap() {
        const Clock::time_point now = Clock::now(), before = start_;
        start_ = now;
        return since(before, now);
    }

private:
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double, std::milli>(to - from).count();
    }

    Clock::time_point start_ = Clock::now();
};

}  // namespace partita
