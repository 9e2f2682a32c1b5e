// A pool of threads for loops whose turns are independent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace partita {

class ThreadPool {
public:
    /// `threads` counts the caller: 1 makes no thread. 0 means as many as the machine has cores.
    explicit ThreadPool(int threads = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const;
    /// Calls body(begin, end) for parts of [0, count) that cover it, on several threads where count is at least
    /// 2 * grain, and returns when all are done. A part is at least `grain` long (but the last). One loop at a time:
    /// a nested call runs on its thread alone.
    void parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t begin, int64_t end)>& body);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace partita
