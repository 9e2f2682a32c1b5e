#include "engine/support/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace partita {

namespace {

thread_local bool inside_a_loop = false;

}  // namespace

struct ThreadPool::State {
    std::mutex mutex;
    std::condition_variable work_ready, work_done;
    std::vector<std::thread> workers;
    const std::function<void(int64_t, int64_t)>* body = nullptr;
    int64_t count = 0, part = 1;
    std::atomic<int64_t> next{0};
    uint64_t generation = 0;
    int busy = 0;
    bool stopping = false;
    std::mutex one_loop_at_a_time;

    void take_parts() {
        inside_a_loop = true;
        for (;;) {
            int64_t begin = next.fetch_add(part);
            if (begin >= count) break;
            (*body)(begin, std::min(begin + part, count));
        }
        inside_a_loop = false;
    }

    void work() {
        uint64_t seen = 0;
        std::unique_lock lock(mutex);
        for (;;) {
            work_ready.wait(lock, [&] { return stopping || generation != seen; });
            if (stopping) return;
            seen = generation;
            lock.unlock();
            take_parts();
            lock.lock();
            if (--busy == 0) work_done.notify_one();
        }
    }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
    if (threads <= 0) threads = int(std::max(1u, std::thread::hardware_concurrency()));
    for (int i = 1; i < threads; ++i) state_->workers.emplace_back([state = state_.get()] { state->work(); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->work_ready.notify_all();
    for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const { return int(state_->workers.size()) + 1; }

void ThreadPool::parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
    if (count <= 0) return;
    grain = std::max<int64_t>(grain, 1);
    if (state_->workers.empty() || inside_a_loop || count < 2 * grain) {
        body(0, count);
        return;
    }
    std::lock_guard only(state_->one_loop_at_a_time);
    State& state = *state_;
    {
        std::lock_guard lock(state.mutex);
        state.body = &body;
        state.count = count;
        // Four parts a thread even out parts of unequal cost.
        state.part = std::max(grain, (count + threads() * 4 - 1) / (threads() * 4));
        state.next = 0;
        state.busy = int(state.workers.size());
        ++state.generation;
    }
    state.work_ready.notify_all();
    state.take_parts();
    std::unique_lock lock(state.mutex);
    state.work_done.wait(lock, [&] { return state.busy == 0; });
}

}  // namespace partita
