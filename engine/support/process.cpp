#include "engine/support/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "engine/support/spawn.h"

namespace partita {

namespace {

/// The interval at which a stop is checked.
constexpr int kPollMilliseconds = 20;

class Child {
public:
    Child(pid_t pid, ProgramPipes& pipes, const ProcessOptions& options)
        : pid_(pid), in_(pipes.in), out_(pipes.out), err_(pipes.err), options_(options), input_(options.input) {}

    ProcessResult wait() {
        IgnoreBrokenPipe guard;
        auto deadline =
            std::chrono::steady_clock::now() + std::chrono::milliseconds(int64_t(options_.time_limit_seconds * 1000));
        if (input_.empty()) in_.close_writer();
        bool out_open = true, err_open = true;
        while (out_open || err_open) {
            pollfd waiting[3] = {{out_open ? out_.reader() : -1, POLLIN, 0},
                                 {err_open ? err_.reader() : -1, POLLIN, 0},
                                 {in_.writer(), POLLOUT, 0}};
            ::poll(waiting, 3, kPollMilliseconds);
            if (waiting[2].revents) feed();
            if (waiting[0].revents) out_open = drain(out_.reader(), result_.output);
            if (waiting[1].revents) err_open = drain(err_.reader(), result_.error_output);
            if (must_stop(deadline)) break;
            // A grandchild may keep the pipes open after the program has ended.
            if (!waiting[0].revents && !waiting[1].revents && ended()) break;
        }
        while (!ended()) {
            must_stop(deadline);
            ::usleep(kPollMilliseconds * 100);
        }
        ::kill(-pid_, SIGKILL);  // the processes it left
        return std::move(result_);
    }

private:
    void feed() {
        ssize_t taken = ::write(in_.writer(), input_.data(), std::min<size_t>(input_.size(), 65536));
        if (taken > 0) input_.remove_prefix(size_t(taken));
        if (input_.empty() || (taken < 0 && errno != EAGAIN && errno != EINTR)) in_.close_writer();
    }

    bool must_stop(std::chrono::steady_clock::time_point deadline) {
        bool too_much = result_.output.size() + result_.error_output.size() > options_.output_limit;
        bool late = std::chrono::steady_clock::now() > deadline;
        if (options_.cancel.cancelled()) result_.cancelled = true;
        if (late) result_.timed_out = true;
        if (!too_much && !late && !options_.cancel.cancelled()) return false;
        if (!ended_) ::kill(-pid_, SIGKILL);
        return true;
    }

    bool ended() {
        int status = 0;
        if (!ended_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
            ended_ = true;
            result_.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        return ended_;
    }

    pid_t pid_;
    Pipe &in_, &out_, &err_;
    const ProcessOptions& options_;
    std::string_view input_;
    ProcessResult result_;
    bool ended_ = false;
};

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
    ProgramPipes pipes;
    const Result<pid_t> pid = spawn(arguments, pipes);
    if (!pid) return pid.error();
    return Child(*pid, pipes, options).wait();
}

std::vector<std::string> split_arguments(std::string_view text) {
    std::vector<std::string> arguments;
    std::string current;
    bool inside = false;
    char quote = 0;
    for (char letter : text) {
        if (quote) {
            if (letter == quote) quote = 0;
            else current += letter;
        } else if (letter == '\'' || letter == '"') {
            quote = letter;
            inside = true;
        } else if (letter == ' ' || letter == '\t' || letter == '\n') {
            if (inside) arguments.push_back(std::move(current));
            current.clear();
            inside = false;
        } else {
            current += letter;
            inside = true;
        }
    }
    if (inside) arguments.push_back(std::move(current));
    return arguments;
}

}  // namespace partita
