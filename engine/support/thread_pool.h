// A pool of threads for loops with independent iterations.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace partita {

class ThreadPool {
public:
    /// `threads` includes the caller: 1 starts no thread. 0 means the number of cores.
    explicit ThreadPool(int threads = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const;
    /// Calls body(begin, end) for parts that cover [0, count), on several threads if count is at least 2 * grain, and
    /// returns when all are done. Each part but the last is at least `grain` long. One loop at a time: a nested call
    /// runs on its own thread only.
    void parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t begin, int64_t end)>& body);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace partita
