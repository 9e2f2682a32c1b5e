// Keeps OpenMP's threads from spinning where other programs want the processors.
//
// Between two loops libgomp's threads spin for some milliseconds before they sleep. That is right on an idle machine
// (SqueezeNet on 2 threads takes 9 ms, and 13 with short spins), and ruinous on a loaded one, where a thread spins away
// the time in which the one that it waits for could run (150 ms, and 20 with short spins). Where libgomp has more
// threads than there are processors it spins for only 100 turns (libgomp/config/linux/wait.h): so while this thread has
// to wait for a processor, a few further threads are kept asleep.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace partita {

class SpinWatch {
public:
    /// `threads`: of the loops. With one thread there is nothing to watch.
    explicit SpinWatch(int threads);
    ~SpinWatch();

    /// Between runs, on the thread that starts the loops: looks how long it had to wait for a processor since the last
    /// look, and decides how the threads wait from now on. A few microseconds.
    void look();
    bool spins_are_short() const { return sleepers_ != nullptr; }

private:
    class Sleepers;
    using Clock = std::chrono::steady_clock;

    const bool watches_;
    Clock::time_point last_look_ = Clock::now();
    Clock::time_point last_wait_ = last_look_;  ///< the last look that found that it had to wait long
    uint64_t waited_ = 0;  ///< nanoseconds that this thread has waited for a processor at the last look
    std::unique_ptr<Sleepers> sleepers_;
};

}  // namespace partita
