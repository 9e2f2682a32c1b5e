#include "engine/runtime/spin_watch.h"

#include <atomic>
#include <cinttypes>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace partita {

namespace {

/// Shorter intervals are not meaningful.
constexpr auto kShortestLook = std::chrono::milliseconds(10);
/// The fraction of time that this thread waits on a loaded machine. On an idle one it is a few percent at most.
constexpr double kLongWait = 0.2;
/// How long spins stay short after the last long wait.
constexpr auto kPatience = std::chrono::milliseconds(60);

/// Returns how long this thread was ready without a processor: the second number of schedstat (Linux,
/// Documentation/scheduler/sched-stats.rst). Returns 0 if the system does not report it.
uint64_t nanoseconds_waited() {
    uint64_t ran = 0, waited = 0;
    std::FILE* file = std::fopen("/proc/thread-self/schedstat", "re");
    if (!file) return 0;
    if (std::fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2) waited = 0;
    std::fclose(file);
    return waited;
}

}  // namespace

/// A thread with more OpenMP threads than there are processors, all asleep.
class SpinWatch::Sleepers {
public:
    Sleepers()
        : thread_([this] {
              int count = int(std::thread::hardware_concurrency()) + 1;
#pragma omp parallel num_threads(count)
              made_.fetch_add(1, std::memory_order_relaxed);  // an empty region would be optimized away
              std::unique_lock lock(mutex_);
              wake_.wait(lock, [this] { return over_; });
          }) {
    }
    ~Sleepers() {
        {
            std::lock_guard lock(mutex_);
            over_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<int> made_{0};
    bool over_ = false;
    std::thread thread_;
};

// The thread sanitizer can't see into the OpenMP library's barriers; see thread_pool.cpp.
#if defined(__SANITIZE_THREAD__)
SpinWatch::SpinWatch(int) : watches_(false) {}
#else
SpinWatch::SpinWatch(int threads) : watches_(threads > 1), waited_(watches_ ? nanoseconds_waited() : 0) {}
#endif

SpinWatch::~SpinWatch() = default;

void SpinWatch::look() {
    Clock::time_point now = Clock::now();
    if (!watches_ || now - last_look_ < kShortestLook) return;
    uint64_t waited = nanoseconds_waited();
    double share = double(waited - waited_) / std::chrono::duration<double, std::nano>(now - last_look_).count();
    last_look_ = now;
    waited_ = waited;
    if (share > kLongWait) {
        last_wait_ = now;
        if (!sleepers_) sleepers_ = std::make_unique<Sleepers>();
    } else if (now - last_wait_ > kPatience) {
        sleepers_.reset();
    }
}

}  // namespace partita
