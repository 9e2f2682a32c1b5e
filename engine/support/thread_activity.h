// What a thread wants of the loops that it starts in a ThreadPool: that they are recorded, that they stop early.
//
// Recording costs two readings of the clock for each loop and thread, nothing while nobody records.
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "engine/support/cancel.h"

namespace partita {

/// Which thread of a pool worked when.
class ThreadActivity {
public:
    using Clock = std::chrono::steady_clock;
    struct Span {
        int thread;  ///< 0: the one that started the loop
        Clock::time_point begin, end;
    };

    /// From any thread.
    void add(int thread, Clock::time_point begin, Clock::time_point end) {
        std::lock_guard lock(mutex_);
        if (spans_.size() < kMostSpans) spans_.push_back({thread, begin, end});
    }
    /// Once the recording is over.
    const std::vector<Span>& spans() const { return spans_; }

private:
    static constexpr size_t kMostSpans = 500000;
    std::mutex mutex_;
    std::vector<Span> spans_;
};

/// While it lives, loops that this thread starts in a ThreadPool are recorded; null: they are not.
class RecordThreads {
public:
    explicit RecordThreads(ThreadActivity* activity) : before_(current()) { current() = activity; }
    ~RecordThreads() { current() = before_; }
    RecordThreads(const RecordThreads&) = delete;
    RecordThreads& operator=(const RecordThreads&) = delete;

    /// What this thread's loops are to be recorded in, or null.
    static ThreadActivity*& current() {
        thread_local ThreadActivity* activity = nullptr;
        return activity;
    }

private:
    ThreadActivity* before_;
};

/// While it lives, loops that this thread starts hand out no more parts once the token is cancelled. What they were to
/// compute is then worthless: whoever started them looks at the token before anything is made of it.
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
