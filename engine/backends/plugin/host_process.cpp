#include "engine/backends/plugin/host_process.h"
#include "engine/support/number_text.h"
#include "engine/support/program_files.h"
#include "engine/support/system_reason.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace partita::plugin {

namespace {

constexpr const char* kHostName = "partita-plugin-host";
constexpr int kPollMilliseconds = 50;
constexpr uint32_t kLongestAnswer = 1u << 16;
/// The time for a process to exit once its socket is closed.
constexpr int kPatienceMilliseconds = 200;

/// Searches PARTITA_PLUGIN_HOST; the folder of the program or of Python's module; the folder where both are installed;
/// in a build tree, a folder above: the window's program is two folders deeper; and that of libraries that were
/// brought.
std::string find_host() {
    namespace fs = std::filesystem;
    if (const char* given = std::getenv("PARTITA_PLUGIN_HOST")) return given;
    std::error_code failure;
    const fs::path here = folder_of_program(), above = here.parent_path();
    for (const fs::path& folder :
         {here, above / "libexec" / "partita", above, above.parent_path(), folder_of_libraries()})
        if (fs::exists(folder / kHostName, failure)) return (folder / kHostName).string();
    return kHostName;
}

/// PARTITA_PLUGIN_GIGABYTES (default 8) of address space, beside the memory that is shared with it.
void limit_memory(pid_t pid, size_t shared_bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)pid, (void)shared_bytes;  // their shadow memory takes terabytes of address space
#else
    constexpr double kDefault = 8, kMost = 1e6;
    const char* given = std::getenv("PARTITA_PLUGIN_GIGABYTES");
    const double wanted = given ? number_at_start(given) : 0;
    const rlim_t bytes = shared_bytes + rlim_t((wanted > 0 ? std::min(wanted, kMost) : kDefault) * (1 << 30));
    const rlimit memory{bytes, bytes};
    ::prlimit(pid, RLIMIT_AS, &memory, nullptr);
#endif
}

}  // namespace

Result<std::unique_ptr<HostProcess>> HostProcess::start(const std::string& library, size_t bytes) {
    std::unique_ptr<HostProcess> host(new HostProcess());
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error("can't make a socket: " + system_reason(errno));
    host->socket_ = ends[0];
    host->bytes_ = bytes;
    host->shared_ = ::memfd_create("partita-plugin", MFD_CLOEXEC);
    bool shared = host->shared_ >= 0 && ::ftruncate(host->shared_, off_t(bytes)) == 0;
    void* memory = shared ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, host->shared_, 0) : MAP_FAILED;
    if (memory == MAP_FAILED) {
        ::close(ends[1]);
        return error("can't make shared memory: " + system_reason(errno));
    }
    host->memory_ = static_cast<std::byte*>(memory);

    // Move descriptors out of the way of their target numbers first.
    int high_socket = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10), high_shared = ::fcntl(host->shared_, F_DUPFD_CLOEXEC, 10);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, high_socket, kSocket);
    posix_spawn_file_actions_adddup2(&actions, high_shared, kSharedMemory);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::string program = find_host();
    char* arguments[] = {program.data(), const_cast<char*>(library.c_str()), nullptr};
    pid_t pid = -1;
    int failure = ::posix_spawnp(&pid, program.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(ends[1]);
    ::close(high_socket);
    ::close(high_shared);
    if (failure) return error("the process for plug-ins, " + program + ", can't be started: " + system_reason(failure));
    host->pid_ = pid;
    limit_memory(pid, bytes);
    return host;
}

HostProcess::~HostProcess() {
    end();
    if (memory_) ::munmap(memory_, bytes_);
    if (shared_ >= 0) ::close(shared_);
}

void HostProcess::end() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    if (pid_ <= 0) return;
    for (int waited = 0; waited < kPatienceMilliseconds; waited += 10) {
        if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
            pid_ = -1;
            return;
        }
        ::usleep(10000);
    }
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

std::string HostProcess::how_it_ended() {
    int status = 0;
    for (int waited = 0; waited < kPatienceMilliseconds; waited += 10) {
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            pid_ = -1;
            if (WIFSIGNALED(status)) return "the plug-in crashed: " + signal_name(WTERMSIG(status));
            return "the plug-in ended its process with status " + std::to_string(WEXITSTATUS(status));
        }
        ::usleep(10000);
    }
    return "the plug-in closed its connection";
}

Status HostProcess::ask(Request request, const std::string& body, double seconds, const CancelToken& cancel) {
    if (socket_ < 0) return error("the plug-in's process has ended");
    Status answer = error("");
    if (!send_message(socket_, uint32_t(request), body)) answer = error(how_it_ended());
    else answer = receive(seconds, cancel);
    return answer;
}

/// A plug-in may send a part of an answer and then nothing: waits for each byte only until the deadline.
Status HostProcess::receive_bytes(void* data, size_t size, const Deadline& deadline) {
    auto* bytes = static_cast<char*>(data);
    while (size > 0) {
        pollfd waiting{socket_, POLLIN, 0};
        if (::poll(&waiting, 1, kPollMilliseconds) > 0) {
            ssize_t got = ::recv(socket_, bytes, size, MSG_DONTWAIT);
            if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (got <= 0) return error(how_it_ended());
            bytes += got;
            size -= size_t(got);
            continue;
        }
        bool cancelled = deadline.cancel.cancelled();
        if (!cancelled && std::chrono::steady_clock::now() < deadline.end) continue;
        ::kill(-pid_, SIGKILL);
        return error(cancelled ? "cancelled" : "the plug-in took longer than " + general_text(deadline.seconds) + " s");
    }
    return Nothing();
}

Status HostProcess::receive(double seconds, const CancelToken& cancel) {
    Deadline deadline{
        std::chrono::steady_clock::now() + std::chrono::milliseconds(int64_t(std::min(seconds, 1e9) * 1000)), seconds,
        cancel};
    Header header{};
    std::string body;
    Status received = receive_bytes(&header, sizeof header, deadline);
    if (received && header.length > kLongestAnswer) received = error("the plug-in's answer is invalid");
    if (received) {
        body.resize(header.length);
        received = receive_bytes(body.data(), body.size(), deadline);
    }
    if (!received) {
        end();
        return received;
    }
    if (header.kind != 0) return error(body.empty() ? "the plug-in gave no reason" : body);
    return Nothing();
}

}  // namespace partita::plugin
