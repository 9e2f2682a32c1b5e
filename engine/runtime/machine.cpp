#include "engine/runtime/machine.h"

#include <algorithm>
#include <atomic>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/support/stopwatch.h"
#include "engine/support/thread_pool.h"

namespace partita {

namespace {

/// The best trial counts, because other programs slow some down.
constexpr int kComputeTrials = 20, kTriadTrials = 8;
constexpr int64_t kTurns = 1000000;
/// Larger than the caches of usual machines, all three together.
constexpr int64_t kTriadElements = int64_t(1) << 24;

/// Independent chains of dependent multiply-adds: enough to fill the pipelines, few enough for the registers.
constexpr int kChains = 12;

/// A macro, because intrinsics are only inlined into functions with their target.
#define PARTITA_CHAINS(Vector, Fill, MultiplyAdd)                                                              \
    Vector sum[kChains];                                                                                       \
    _Pragma("GCC unroll 12") for (int k = 0; k < kChains; ++k) sum[k] = Fill(seed + float(k));                 \
    const Vector factor = Fill(1.0f - seed), term = Fill(seed);                                                \
    for (int64_t i = 0; i < turns; ++i)                                                                        \
        _Pragma("GCC unroll 12") for (int k = 0; k < kChains; ++k) sum[k] = MultiplyAdd(sum[k], factor, term); \
    float total = 0;                                                                                           \
    for (int k = 0; k < kChains; ++k) total += sum[k][0];                                                      \
    return total;

/// The vector type that GCC and Clang support on any machine.
using Generic = float __attribute__((vector_size(16)));
Generic generic_fill(float value) { return Generic{value, value, value, value}; }
Generic generic_multiply_add(Generic a, Generic b, Generic c) { return a * b + c; }
float multiply_add_generic(int64_t turns, float seed) { PARTITA_CHAINS(Generic, generic_fill, generic_multiply_add) }

struct VectorUnit {
    float (*multiply_add)(int64_t turns, float seed);
    int lanes;
};

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float multiply_add_avx512(int64_t turns, float seed) {
    PARTITA_CHAINS(__m512, _mm512_set1_ps, _mm512_fmadd_ps)
}
__attribute__((target("avx2,fma"))) float multiply_add_avx2(int64_t turns, float seed){
    PARTITA_CHAINS(__m256, _mm256_set1_ps, _mm256_fmadd_ps)} VectorUnit widest_unit() {
    if (__builtin_cpu_supports("avx512f")) return {multiply_add_avx512, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {multiply_add_avx2, 8};
    return {multiply_add_generic, 4};
}
#else
VectorUnit widest_unit() { return {multiply_add_generic, 4}; }
#endif

double best_flops(ThreadPool& threads, const CancelToken& cancel) {
    double best = 0;
    std::atomic<float> sink{0};
    int64_t workers = threads.threads();
    VectorUnit unit = widest_unit();
    double flops = 2.0 * kChains * unit.lanes * double(kTurns) * double(workers);
    for (int trial = 0; trial < kComputeTrials && !cancel.cancelled(); ++trial) {
        Stopwatch watch;
        threads.parallel_for(workers, 1, [&](int64_t begin, int64_t end) {
            for (int64_t worker = begin; worker < end; ++worker)
                sink.store(unit.multiply_add(kTurns, 1e-9f * float(worker + 1)), std::memory_order_relaxed);
        });
        best = std::max(best, flops / (watch.milliseconds() * 1e-3));
    }
    return best;
}

double best_bandwidth(ThreadPool& threads, const CancelToken& cancel) {
    // Tensors, because they lie in the same kind of pages as those of a run.
    Tensor tensors[3] = {Tensor(kFloat32, {kTriadElements}), Tensor(kFloat32, {kTriadElements}),
                         Tensor(kFloat32, {kTriadElements})};
    auto *a = static_cast<float*>(tensors[0].bytes()), *b = static_cast<float*>(tensors[1].bytes()),
         *c = static_cast<float*>(tensors[2].bytes());
    std::fill_n(b, kTriadElements, 1.0f);
    std::fill_n(c, kTriadElements, 2.0f);
    double best = 0;
    for (int trial = 0; trial < kTriadTrials && !cancel.cancelled(); ++trial) {
        Stopwatch watch;
        threads.parallel_for(kTriadElements, kTriadElements / 64, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
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
