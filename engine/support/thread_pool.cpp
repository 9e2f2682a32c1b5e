#include "engine/support/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/support/thread_activity.h"

// oneDNN and generated C code run on OpenMP's threads. The pool's loops use the same ones: two sets of threads would
// take each other's cores while they wait for work. The thread sanitizer does not understand the barriers of the OpenMP
// library.
#if defined(_OPENMP) && !defined(__SANITIZE_THREAD__)
#define PARTITA_POOL_ON_OPENMP 1
#include <omp.h>
#else
#define PARTITA_POOL_ON_OPENMP 0
#include <vector>
#endif

namespace partita {

namespace {

thread_local bool inside_a_loop = false;

/// A loop; each thread takes the next part when it is free.
struct Loop {
    const std::function<void(int64_t, int64_t)>* body = nullptr;
    int64_t count = 0, part = 1;
    std::atomic<int64_t> next{0};
    ThreadActivity* activity = nullptr;   ///< that records the loop, or null
    const CancelToken* cancel = nullptr;  ///< that ends the loop early, or null
    std::mutex mutex;
    std::exception_ptr failure;

    void take_parts(int thread) {
        using Clock = ThreadActivity::Clock;
        inside_a_loop = true;
        Clock::time_point started = activity ? Clock::now() : Clock::time_point();
        bool worked = false;
        try {
            for (;;) {
                int64_t begin = next.fetch_add(part);
                if (begin >= count || (cancel && cancel->cancelled())) break;
                worked = true;
                (*body)(begin, std::min(begin + part, count));
            }
        } catch (...) {
            std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
        if (activity && worked) activity->add(thread, started, Clock::now());
        inside_a_loop = false;
    }

    void start(const std::function<void(int64_t, int64_t)>& with, int64_t turns, int64_t grain, int threads) {
        body = &with;
        count = turns;
        // Four parts per thread balance parts of unequal cost.
        part = std::max(grain, (turns + int64_t(threads) * 4 - 1) / (int64_t(threads) * 4));
        next = 0;
        activity = RecordThreads::current();
        cancel = CancelLoops::current();
        failure = nullptr;
    }
    void finish() const {
        if (failure) std::rethrow_exception(failure);
    }
};

int default_thread_count() { return int(std::max(1u, std::thread::hardware_concurrency())); }

}  // namespace

struct ThreadPool::State {
    int threads = 1;
    Loop loop;
    std::mutex one_loop_at_a_time;

    void run() {
#if PARTITA_POOL_ON_OPENMP
#pragma omp parallel num_threads(threads)
        loop.take_parts(omp_get_thread_num());
#else
        std::vector<std::thread> others;
        for (int i = 1; i < threads; ++i) others.emplace_back([this, i] { loop.take_parts(i); });
        loop.take_parts(0);
        for (std::thread& other : others) other.join();
#endif
    }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
    state_->threads = threads > 0 ? threads : default_thread_count();
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return state_->threads; }

/// Runs a loop on one thread, in parts if it may have to stop early.
static void run_alone(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
    constexpr int64_t kParts = 8;
    const CancelToken* cancel = CancelLoops::current();
    int64_t part = cancel ? std::max(grain, (count + kParts - 1) / kParts) : count;
    for (int64_t begin = 0; begin < count && !(cancel && cancel->cancelled()); begin += part)
        body(begin, std::min(begin + part, count));
}

void ThreadPool::parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
    if (count <= 0) return;
    grain = std::max<int64_t>(grain, 1);
    if (inside_a_loop || count < 2 * grain) {
        body(0, count);
        return;
    }
    if (threads() == 1) return run_alone(count, grain, body);
    std::lock_guard only(state_->one_loop_at_a_time);
    state_->loop.start(body, count, grain, threads());
    state_->run();
    state_->loop.finish();
}

}  // namespace partita
