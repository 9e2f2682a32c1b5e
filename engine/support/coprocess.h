// Another program that is asked and answers, line by line, as long as it is needed. Runs without a shell.
//
// Belongs to one thread at a time. Whatever the program does, a call here ends: at its limits, or within a fiftieth of
// a second of a cancel.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"
#include "engine/support/spawn.h"
#include "engine/support/stopwatch.h"

namespace partita {

struct CoprocessLimits {
    double silence_seconds = 20;             ///< that it may take to begin, and to read on
    size_t line_bytes = size_t(4) << 20;     ///< of one line that it writes
    size_t unread_bytes = size_t(64) << 20;  ///< that it may write before it is asked
    size_t memory_bytes = size_t(8) << 30;   ///< of its address space
};

class Coprocess {
public:
    static Result<std::unique_ptr<Coprocess>> start(const std::vector<std::string>& arguments,
                                                    const CoprocessLimits& limits);
    /// Speaks with a thread of this process instead, which reads from `requests` and writes to `replies`. Whoever calls
    /// this owns both descriptors. Limits of memory do not apply, and what the thread does is not ended.
    static Result<std::unique_ptr<Coprocess>> connect(int& requests, int& replies, const CoprocessLimits& limits);
    /// Kills it, and what it started.
    ~Coprocess();

    /// Gives it the text; takes in what it writes meanwhile.
    Status write(std::string_view text, const CancelToken& cancel);
    /// The next line without its end. Fails where there is none: "it ended with status 1", "it was silent for 20 s".
    /// Parts of a line do not prolong the time.
    Result<std::string> read_line(const CancelToken& cancel, double seconds);
    /// The end of what it wrote to standard error.
    const std::string& error_output() const { return errors_; }

private:
    Coprocess(const CoprocessLimits& limits) : limits_(limits) {}
    /// Waits for something to happen, and takes it in. Fails when `watch` shows so many seconds, at a cancel and at the
    /// program's end.
    Status wait(bool writing, const Stopwatch& watch, double seconds, const CancelToken& cancel);
    void take_in_errors();
    Diagnostic how_it_ended();

    const CoprocessLimits limits_;
    pid_t pid_ = -1;
    ProgramPipes pipes_;
    std::string output_, errors_;
    size_t read_ = 0;  ///< bytes of output_ that were handed out
    bool out_open_ = true, err_open_ = true;
};

}  // namespace partita
