#include "engine/support/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/support/thread_activity.h"

// oneDNN and generated C code run on OpenMP's threads. The pool's loops run on the same ones: two sets of threads would
// take each other's cores while they wait for work. The thread sanitizer can't see into the OpenMP library's barriers.
#if defined(_OPENMP) && !defined(__SANITIZE_THREAD__)
#define PARTITA_POOL_ON_OPENMP 1
#include <omp.h>
#else
#define PARTITA_POOL_ON_OPENMP 0
#include <condition_variable>
#endif

namespace partita {

namespace {

thread_local bool inside_a_loop = false;

/// One loop, whose parts are taken by whoever comes first.
struct Loop {
    const std::function<void(int64_t, int64_t)>* body = nullptr;
    int64_t count = 0, part = 1;
    std::atomic<int64_t> next{0};
    ThreadActivity* activity = nullptr;   ///< in which the loop is recorded, or null
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
        // Four parts a thread even out parts of unequal cost.
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

#if PARTITA_POOL_ON_OPENMP

struct ThreadPool::State {
    int threads = 1;
    Loop loop;
    std::mutex one_loop_at_a_time;

    void run() {
#pragma omp parallel num_threads(threads)
        loop.take_parts(omp_get_thread_num());
    }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
    state_->threads = threads > 0 ? threads : default_thread_count();
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return state_->threads; }

#else

struct ThreadPool::State {
    std::mutex mutex;
    std::condition_variable work_ready, work_done;
    std::vector<std::thread> workers;
    int threads = 1;
    Loop loop;
    uint64_t generation = 0;
    int busy = 0;
    bool stopping = false;
    std::mutex one_loop_at_a_time;

    void work(int thread) {
        uint64_t seen = 0;
        std::unique_lock lock(mutex);
        for (;;) {
            work_ready.wait(lock, [&] { return stopping || generation != seen; });
            if (stopping) return;
            seen = generation;
            lock.unlock();
            loop.take_parts(thread);
            lock.lock();
            if (--busy == 0) work_done.notify_one();
        }
    }

    void run() {
        {
            std::lock_guard lock(mutex);
            busy = int(workers.size());
            ++generation;
        }
        work_ready.notify_all();
        loop.take_parts(0);
        std::unique_lock lock(mutex);
        work_done.wait(lock, [&] { return busy == 0; });
    }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
    state_->threads = threads > 0 ? threads : default_thread_count();
    for (int i = 1; i < state_->threads; ++i)
        state_->workers.emplace_back([state = state_.get(), i] { state->work(i); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->work_ready.notify_all();
    for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const { return state_->threads; }

#endif

/// In as many parts as let the loop stop in time, where it may have to.
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
