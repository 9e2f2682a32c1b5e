// Loops on OpenMP's threads, which oneDNN runs on, too: others would compete with those that still wait for work.
#pragma once

#include <omp.h>

#include <cstdint>
#include <functional>

namespace partita::onednn {

/// Calls body(begin, end) for parts that cover [0, count). `work` is the number of multiplications, or of what takes as
/// long; a few microseconds are not worth a fork and a join.
inline void on_openmp_threads(int threads, double work, int64_t count,
                              const std::function<void(int64_t, int64_t)>& body) {
    constexpr double kWorthAFork = 1e6;
    if (threads < 2 || count < 2 || work < kWorthAFork) return body(0, count);
#pragma omp parallel num_threads(threads)
    {
        const int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        const int64_t begin = count * part / parts, end = count * (part + 1) / parts;
        if (begin < end) body(begin, end);
    }
}

}  // namespace partita::onednn
