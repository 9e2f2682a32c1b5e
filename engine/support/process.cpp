#include "engine/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace partita {

namespace {

/// How often a stop is looked for.
constexpr int kPollMilliseconds = 20;

class Pipe {
public:
    bool open() { return ::pipe2(ends_, O_CLOEXEC) == 0; }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    int reader() const { return ends_[0]; }
    int writer() const { return ends_[1]; }
    void close_reader() { close_end(0); }
    void close_writer() { close_end(1); }

private:
    void close_end(int end) {
        if (ends_[end] >= 0) ::close(ends_[end]);
        ends_[end] = -1;
    }
    int ends_[2] = {-1, -1};
};

/// Writing to a program that has gone must not end ours.
class IgnoreBrokenPipe {
public:
    IgnoreBrokenPipe() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &set, &before_);
    }
    ~IgnoreBrokenPipe() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGPIPE);
        timespec none{0, 0};
        if (!sigismember(&before_, SIGPIPE))
            while (sigtimedwait(&set, nullptr, &none) == SIGPIPE) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t before_;
};

void set_nonblocking(int descriptor) { ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

/// False at the end of the file.
bool drain(int descriptor, std::string& text) {
    char buffer[16384];
    for (;;) {
        ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got > 0) text.append(buffer, size_t(got));
        else if (got == 0) return false;
        else return errno == EAGAIN || errno == EINTR;
        if (size_t(got) < sizeof buffer) return true;
    }
}

class Child {
public:
    Child(pid_t pid, Pipe& in, Pipe& out, Pipe& err, const ProcessOptions& options)
        : pid_(pid), in_(in), out_(out), err_(err), options_(options), input_(options.input) {}

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
        ::kill(-pid_, SIGKILL);  // what it left behind
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
    if (arguments.empty() || arguments[0].empty()) return error("there is no program to run");
    Pipe in, out, err;
    if (!in.open() || !out.open() || !err.open())
        return error(std::string("no pipe can be made: ") + std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in.reader(), 0);
    posix_spawn_file_actions_adddup2(&actions, out.writer(), 1);
    posix_spawn_file_actions_adddup2(&actions, err.writer(), 2);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none, all_default;
    sigemptyset(&none);
    sigemptyset(&all_default);
    sigaddset(&all_default, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all_default);

    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t pid = 0;
    int failure = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure) return error("'" + arguments[0] + "' can't be started: " + std::strerror(failure));
    in.close_reader();
    out.close_writer();
    err.close_writer();
    set_nonblocking(in.writer());
    set_nonblocking(out.reader());
    set_nonblocking(err.reader());
    return Child(pid, in, out, err, options).wait();
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
