// A fixed piece of work that is timed beside a measurement: what it takes tells the state of the machine. Two runs are
// comparable as far as their yardsticks agree: a busy neighbour doubles the times of whole runs, evenly.
//
// A measurement takes about five milliseconds, on the threads that the module runs on, and holds 4 MiB.
#pragma once

#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

class Yardstick {
public:
    explicit Yardstick(ThreadPool& threads) : threads_(threads) {}

    /// Times the work; returns milliseconds.
    double measure();

private:
    ThreadPool& threads_;
    std::vector<float> values_;  ///< made by the first measurement
};

}  // namespace partita
