#include "engine/runtime/machine.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "engine/runtime/timing.h"
#include "engine/support/thread_pool.h"

namespace partita {

namespace {

constexpr int kTrials = 5;
constexpr int64_t kFmaTurns = 2000000;
/// Larger than the caches of usual machines, all three together.
constexpr int64_t kTriadElements = int64_t(1) << 24;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PARTITA_FOR_EACH_VECTOR_UNIT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PARTITA_FOR_EACH_VECTOR_UNIT
#endif

using Vector = float __attribute__((vector_size(64)));
/// Chains of dependent multiply-adds side by side: enough to fill the pipelines.
constexpr int kChains = 12;
constexpr double kFlopsPerTurn = 2.0 * kChains * 16;

PARTITA_FOR_EACH_VECTOR_UNIT
float multiply_add(int64_t turns, float seed) {
    Vector sum[kChains];
    for (int k = 0; k < kChains; ++k) sum[k] = Vector{} + (seed + float(k));
    const Vector factor = Vector{} + (1.0f - seed), term = Vector{} + seed;
    for (int64_t i = 0; i < turns; ++i)
        for (int k = 0; k < kChains; ++k) sum[k] = sum[k] * factor + term;
    float total = 0;
    for (int k = 0; k < kChains; ++k) total += sum[k][0];
    return total;
}

double best_flops(ThreadPool& threads, const CancelToken& cancel) {
    double best = 0;
    std::atomic<float> sink{0};
    int64_t workers = threads.threads();
    for (int trial = 0; trial < kTrials && !cancel.cancelled(); ++trial) {
        Stopwatch watch;
        threads.parallel_for(workers, 1, [&](int64_t begin, int64_t end) {
            for (int64_t worker = begin; worker < end; ++worker)
                sink.store(multiply_add(kFmaTurns / 10, 1e-9f * float(worker + 1)), std::memory_order_relaxed);
        });
        best = std::max(best, double(kFmaTurns / 10) * kFlopsPerTurn * double(workers) / (watch.milliseconds() * 1e-3));
    }
    return best;
}

double best_bandwidth(ThreadPool& threads, const CancelToken& cancel) {
    std::vector<float> a(kTriadElements), b(kTriadElements, 1), c(kTriadElements, 2);
    double best = 0;
    for (int trial = 0; trial < kTrials && !cancel.cancelled(); ++trial) {
        Stopwatch watch;
        threads.parallel_for(kTriadElements, kTriadElements / 64, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) a[size_t(i)] = b[size_t(i)] + 3.0f * c[size_t(i)];
        });
        best = std::max(best, 3.0 * sizeof(float) * double(kTriadElements) / (watch.milliseconds() * 1e-3));
    }
    return best;
}

}  // namespace

MachineLimits measure_machine(int threads, const CancelToken& cancel) {
    ThreadPool pool(threads);
    MachineLimits limits;
    limits.threads = pool.threads();
    limits.flops = best_flops(pool, cancel);
    limits.bandwidth = best_bandwidth(pool, cancel);
    return limits;
}

RooflinePoint roofline(const MachineLimits& machine, double flops, double bytes, double milliseconds) {
    RooflinePoint point;
    if (milliseconds <= 0) return point;
    double seconds = milliseconds * 1e-3;
    point.flops = flops / seconds;
    point.bandwidth = bytes / seconds;
    point.intensity = bytes > 0 ? flops / bytes : 0;
    double by_memory = point.intensity * machine.bandwidth;
    point.memory_bound = by_memory < machine.flops;
    point.attainable_flops = std::min(by_memory, machine.flops);
    double limit = point.memory_bound ? machine.bandwidth : machine.flops;
    point.share = limit > 0 ? (point.memory_bound ? point.bandwidth : point.flops) / limit : 0;
    return point;
}

}  // namespace partita
