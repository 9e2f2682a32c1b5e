// Settings of a thread for the loops that it starts in a ThreadPool: whether to record them, and when to stop early.
//
// Recording costs two readings of the clock for each loop and thread; without it there is no cost.
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "engine/support/cancel.h"

namespace partita {

/// When each thread of a pool worked.
class ThreadActivity {
public:
    using Clock = std::chrono::steady_clock;
    struct Span {
        int thread;  ///< 0: the one that started the loop
        Clock::time_point begin, end;
    };

    /// Thread-safe.
    void add(int thread, Clock::time_point begin, Clock::time_point end) {
        std::lock_guard lock(mutex_);
        if (spans_.size() < kMostSpans) spans_.push_back({thread, begin, end});
    }
    /// Call it after the recording.
    const std::vector<Span>& spans() const { return spans_; }

private:
    static constexpr size_t kMostSpans = 500000;
    std::mutex mutex_;
    std::vector<Span> spans_;
};

/// During its lifetime, records the loops that this thread starts in a ThreadPool; null: does not.
class RecordThreads {
public:
    explicit RecordThreads(ThreadActivity* activity) : before_(current()) { current() = activity; }
    ~RecordThreads() { current() = before_; }
    RecordThreads(const RecordThreads&) = delete;
    RecordThreads& operator=(const RecordThreads&) = delete;

    /// Returns where this thread's loops are recorded, or null.
    static ThreadActivity*& current() {
        thread_local ThreadActivity* activity = nullptr;
        return activity;
    }

private:
    ThreadActivity* before_;
};

/// During its lifetime, the loops of this thread start no more parts once the token is cancelled. Their results are
/// then invalid: the caller must check the token before it uses them.
class CancelLoops {
public:
    explicit CancelLoops(const CancelToken& token) : before_(current()) { current() = &token; }
    ~CancelLoops() { current() = before_; }
    CancelLoops(const CancelLoops&) = delete;
    CancelLoops& operator=(const CancelLoops&) = delete;

    static const CancelToken*& current() {
        thread_local const CancelToken* token = nullptr;
        return token;
    }

private:
    const CancelToken* before_;
};

}  // namespace partita
