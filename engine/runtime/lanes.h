// Runs the steps of a flat graph side by side: each as soon as those that it depends on are done.
//
// The threads, "lanes", are made once and wait between runs. A step costs a lock, and where another lane had nothing to
// do, waking it up. Of the steps that could run, the one with the lowest number runs first.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <span>
#include <thread>
#include <vector>

#include "engine/backends/backend.h"
#include "engine/runtime/flat_graph.h"

namespace partita {

/// How many lanes have work at the same time, at most `threads`: the largest number of steps that are equally many steps
/// away from the beginning. Linear in the graph.
int useful_lanes(const FlatGraph& graph, int threads);
/// Whether lanes can be faster than one step after the other, each on all threads: whether at some distance from the
/// beginning there are two regions or ops that take 50 microseconds each, by their operations and bytes. Handing a step to
/// another lane takes some 10 of these, and regions in lanes are compiled alone. Linear in the module.
bool pays_side_by_side(const Module& module);

class Lanes {
public:
    /// `regions` as in StraightLine. Steps that share a compiled region run one after the other.
    Lanes(const FlatGraph& graph, std::span<CompiledRegion* const> regions, int lanes);
    ~Lanes();
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

    int count() const { return int(workers_.size()) + 1; }
    /// Calls `body` once for each step, from any lane; lane 0 is the caller's thread. After a failure no further step is
    /// started; what the failed one with the lowest number said is the result.
    Status run(const std::function<Status(uint32_t step, int lane)>& body);

private:
    using Lock = std::unique_lock<std::mutex>;

    void depend(uint32_t step, uint32_t on);
    void work(int lane);
    void take_steps(Lock& lock, int lane);
    void finish(uint32_t step, Status done);
    bool over() const { return left_ == 0 || failed_ != UINT32_MAX || exception_; }

    std::vector<std::vector<uint32_t>> users_;  ///< by step: those that wait for it
    std::vector<uint32_t> dependences_;         ///< by step: how many it waits for

    std::mutex mutex_;
    std::condition_variable ready_, started_, finished_;
    const std::function<Status(uint32_t, int)>* body_ = nullptr;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> queue_;
    std::vector<uint32_t> waiting_;  ///< by step: dependences that are not done yet
    size_t left_ = 0;                ///< steps that are not done yet
    uint32_t failed_ = UINT32_MAX;
    Status failure_ = Nothing();
    std::exception_ptr exception_;
    uint64_t generation_ = 0;
    size_t working_ = 0;  ///< workers that have not left this run yet
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace partita
