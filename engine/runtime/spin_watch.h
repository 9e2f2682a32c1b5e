// Keeps OpenMP's threads from spinning while other programs need the processors.
//
// Between two loops libgomp's threads spin for some milliseconds before they sleep. That is right on an idle machine
// (SqueezeNet on 2 threads takes 9 ms, and 13 with short spins), but harmful on a loaded one, where a thread spins
// while the one that it waits for could run (150 ms, and 20 with short spins). If libgomp has more threads than there
// are processors it spins for only 100 turns (libgomp/config/linux/wait.h). So while this thread has to wait for a
// processor, a few additional threads are kept asleep.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace partita {

class SpinWatch {
public:
    /// `threads`: number of threads of the loops. With one thread there is nothing to watch.
    explicit SpinWatch(int threads);
    ~SpinWatch();

    /// Measures how long this thread waited for a processor since the last call, and decides how threads wait from now
    /// on. Call it between runs, on the thread that starts the loops. Takes a few microseconds.
    void look();
    bool spins_are_short() const { return sleepers_ != nullptr; }

private:
    class Sleepers;
    using Clock = std::chrono::steady_clock;

    const bool watches_;
    Clock::time_point last_look_ = Clock::now();
    Clock::time_point last_wait_ = last_look_;  ///< the last call that found a long wait
    uint64_t waited_ = 0;  ///< nanoseconds that this thread had waited for a processor at the last call
    std::unique_ptr<Sleepers> sleepers_;
};

}  // namespace partita
