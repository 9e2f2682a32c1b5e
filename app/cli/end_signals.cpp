#include "app/cli/end_signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/support/file.h"

namespace partita::cli {
namespace {

constexpr time_t kPatienceSeconds = 10;

struct Ending {
    std::mutex mutex;
    std::optional<CancelToken> work;  ///< to be cancelled
    int signal = 0;                   ///< that came
};

Ending& ending() {
    static auto* const state = new Ending;  // stays: its thread outlives main
    return *state;
}

/// Each program that was started has a process group of its own, which Ctrl-C does not reach.
void kill_programs() {
    std::error_code ignored;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child; children >> child;) ::kill(-child, SIGKILL);
    }
}

/// Ends the process by the signal's usual effect.
void end_by(int signal) {
    kill_programs();
    give_up_unfinished_files();
    std::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(signal);
}

void take_signals(sigset_t set) {
    int signal = 0;
    if (::sigwait(&set, &signal) != 0) return;
    bool waits = false;
    {
        std::lock_guard lock(ending().mutex);
        ending().signal = signal;
        waits = ending().work.has_value();
        if (waits) ending().work->cancel();
    }
    const timespec patience{kPatienceSeconds, 0};
    if (waits) ::sigtimedwait(&set, nullptr, &patience);
    end_by(signal);
}

}  // namespace

void watch_end_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaddset(&set, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::thread(take_signals, set).detach();
}

CancelOnSignal::CancelOnSignal(const CancelToken& token) {
    std::lock_guard lock(ending().mutex);
    ending().work = token;
    if (ending().signal != 0) token.cancel();
}

CancelOnSignal::~CancelOnSignal() {
    int signal = 0;
    {
        std::lock_guard lock(ending().mutex);
        ending().work.reset();
        signal = ending().signal;
    }
    if (signal != 0) end_by(signal);
}

}  // namespace partita::cli
