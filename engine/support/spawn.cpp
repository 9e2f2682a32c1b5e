#include "engine/support/spawn.h"
#include "engine/support/system_reason.h"

#include <fcntl.h>
#include <spawn.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace partita {

bool Pipe::open() { return ::pipe2(ends_, O_CLOEXEC) == 0; }

void Pipe::close_end(int end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
}

IgnoreBrokenPipe::IgnoreBrokenPipe() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
}

IgnoreBrokenPipe::~IgnoreBrokenPipe() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    timespec none{0, 0};
    if (!sigismember(&before_, SIGPIPE))
        while (sigtimedwait(&set, nullptr, &none) == SIGPIPE) {
        }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

Result<pid_t> spawn(const std::vector<std::string>& arguments, ProgramPipes& pipes) {
    if (arguments.empty() || arguments[0].empty()) return error("there is no program to run");
    if (!pipes.in.open() || !pipes.out.open() || !pipes.err.open())
        return error("no pipe can be made: " + system_reason(errno));
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, pipes.in.reader(), 0);
    posix_spawn_file_actions_adddup2(&actions, pipes.out.writer(), 1);
    posix_spawn_file_actions_adddup2(&actions, pipes.err.writer(), 2);
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
    if (failure) return error("'" + arguments[0] + "' can't be started: " + system_reason(failure));
    pipes.in.close_reader();
    pipes.out.close_writer();
    pipes.err.close_writer();
    for (int descriptor : {pipes.in.writer(), pipes.out.reader(), pipes.err.reader()}) do_not_block(descriptor);
    return pid;
}

void do_not_block(int descriptor) { ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

bool drain(int descriptor, std::string& text) {
    char buffer[16384];
    constexpr int kMostBlocks = 64;  // the caller holds what a program writes on and on against its limit
    for (int block = 0; block < kMostBlocks; ++block) {
        ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got > 0) text.append(buffer, size_t(got));
        else if (got == 0) return false;
        else return errno == EAGAIN || errno == EINTR;
        if (size_t(got) < sizeof buffer) return true;
    }
    return true;
}

}  // namespace partita
