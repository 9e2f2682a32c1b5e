// Starts another program with pipes to its standard streams; what process.cpp and coprocess.cpp share.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita {

class Pipe {
public:
    Pipe() = default;
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    bool open();
    int reader() const { return ends_[0]; }
    int writer() const { return ends_[1]; }
    /// Hands over an end, which the receiver closes.
    int give_reader() { return std::exchange(ends_[0], -1); }
    int give_writer() { return std::exchange(ends_[1], -1); }
    void close_reader() { close_end(0); }
    void close_writer() { close_end(1); }

private:
    void close_end(int end);
    int ends_[2] = {-1, -1};
};

/// Keeps SIGPIPE away: writing to a program that has gone must not end ours.
class IgnoreBrokenPipe {
public:
    IgnoreBrokenPipe();
    ~IgnoreBrokenPipe();

private:
    sigset_t before_;
};

/// The ends of a program's standard streams on our side; reading and writing them does not block.
struct ProgramPipes {
    Pipe in, out, err;
};

/// Starts `arguments[0]`, looked for in PATH, in a process group of its own.
Result<pid_t> spawn(const std::vector<std::string>& arguments, ProgramPipes& pipes);

/// Lets reading and writing fail where they would wait.
void do_not_block(int descriptor);

/// Appends what can be read. Returns false at the end of the file.
bool drain(int descriptor, std::string& text);

}  // namespace partita
