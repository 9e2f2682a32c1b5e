#include "engine/support/coprocess.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

#include "engine/support/number_text.h"
#include "engine/support/system_reason.h"

namespace partita {

Result<std::unique_ptr<Coprocess>> Coprocess::start(const std::vector<std::string>& arguments,
                                                    const CoprocessLimits& limits) {
    std::unique_ptr<Coprocess> made(new Coprocess(limits));
    const Result<pid_t> pid = spawn(arguments, made->pipes_);
    if (!pid) return pid.error();
    made->pid_ = *pid;
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    ::prlimit(*pid, RLIMIT_AS, &memory, nullptr);
    return made;
}

Result<std::unique_ptr<Coprocess>> Coprocess::connect(int& requests, int& replies, const CoprocessLimits& limits) {
    std::unique_ptr<Coprocess> made(new Coprocess(limits));
    if (!made->pipes_.in.open() || !made->pipes_.out.open())
        return error("no pipe can be made: " + system_reason(errno));
    requests = made->pipes_.in.give_reader();
    replies = made->pipes_.out.give_writer();
    made->err_open_ = false;
    for (int descriptor : {made->pipes_.in.writer(), made->pipes_.out.reader()}) do_not_block(descriptor);
    return made;
}

Coprocess::~Coprocess() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

Status Coprocess::wait(bool writing, const Stopwatch& watch, double seconds, const CancelToken& cancel) {
    constexpr int kPollMilliseconds = 20;
    while (watch.milliseconds() < seconds * 1000) {
        pollfd waiting[3] = {{out_open_ ? pipes_.out.reader() : -1, POLLIN, 0},
                             {err_open_ ? pipes_.err.reader() : -1, POLLIN, 0},
                             {writing ? pipes_.in.writer() : -1, POLLOUT, 0}};
        ::poll(waiting, 3, kPollMilliseconds);
        if (cancel.cancelled()) return error("cancelled");
        if (waiting[1].revents) take_in_errors();
        if (waiting[0].revents) out_open_ = drain(pipes_.out.reader(), output_);
        if (output_.size() - read_ > limits_.unread_bytes)
            return error("it writes on and on without being asked; it was ended");
        if (waiting[0].revents || waiting[2].revents) return Nothing();
        if (!out_open_) return how_it_ended();
    }
    const bool silent = writing || output_.size() == read_;
    return error((silent ? "it was silent for " : "it did not end a line within ") + general_text(seconds) +
                 " s; it was ended");
}

void Coprocess::take_in_errors() {
    constexpr size_t kMostErrors = 8192;
    err_open_ = drain(pipes_.err.reader(), errors_);
    if (errors_.size() > kMostErrors) errors_.erase(0, errors_.size() - kMostErrors);
}

Diagnostic Coprocess::how_it_ended() {
    constexpr int kPatience = 100;  // hundredths of a second: its output may be closed while it is still there
    int status = 0;
    if (pid_ <= 0) return error("it ended");
    for (int i = 0; i < kPatience; ++i) {
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            ::kill(-pid_, SIGKILL);  // what it left behind
            pid_ = -1;
            if (err_open_) take_in_errors();
            if (WIFSIGNALED(status)) return error("it was ended by a signal: " + signal_name(WTERMSIG(status)));
            return error("it ended with status " + std::to_string(WEXITSTATUS(status)));
        }
        ::usleep(10000);
    }
    return error("it closed its output");
}

Status Coprocess::write(std::string_view text, const CancelToken& cancel) {
    constexpr size_t kBlock = 65536;
    const IgnoreBrokenPipe guard;
    std::optional<Stopwatch> stuck;
    while (!text.empty()) {
        const ssize_t taken = ::write(pipes_.in.writer(), text.data(), std::min(text.size(), kBlock));
        if (taken > 0) {
            text.remove_prefix(size_t(taken));
            stuck.reset();
            if (cancel.cancelled()) return error("cancelled");
            continue;
        }
        if (errno == EPIPE) return how_it_ended();
        if (!stuck) stuck.emplace();
        if (Status ready = wait(true, *stuck, limits_.silence_seconds, cancel); !ready) return ready;
    }
    return Nothing();
}

Result<std::string> Coprocess::read_line(const CancelToken& cancel, double seconds) {
    const Stopwatch watch;
    size_t looked = read_;
    for (;;) {
        const size_t end = output_.find('\n', looked);
        if (end != std::string::npos) {
            std::string line = output_.substr(read_, end - read_);
            read_ = end + 1;
            if (read_ == output_.size() || read_ > (size_t(1) << 20)) {
                output_.erase(0, read_);
                read_ = 0;
            }
            if (cancel.cancelled()) return error("cancelled");
            return line;
        }
        looked = output_.size();
        if (looked - read_ > limits_.line_bytes)
            return error("it wrote a line of more than " + std::to_string(limits_.line_bytes) + " bytes; it was ended");
        if (!out_open_) return how_it_ended();
        const size_t before = read_;
        if (Status more = wait(false, watch, seconds, cancel); !more) return more.error();
        looked -= before - read_;
    }
}

}  // namespace partita
