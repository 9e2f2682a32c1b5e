// The process that holds a plug-in, seen from the runtime: started, asked, and ended when it misbehaves.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/backends/plugin/protocol.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::plugin {

/// Until when, and what else ends the waiting.
struct Deadline {
    std::chrono::steady_clock::time_point end;
    double seconds;  ///< that were given
    const CancelToken& cancel;
};

class HostProcess {
public:
    /// Starts the process with a library, and shares `bytes` of memory with it.
    static Result<std::unique_ptr<HostProcess>> start(const std::string& library, size_t bytes);
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    std::byte* memory() const { return memory_; }
    /// Fails with what the plug-in says, or with what became of it. After a failure that ended it, every further
    /// request fails.
    Status ask(Request request, const std::string& body, double seconds, const CancelToken& cancel);

private:
    HostProcess() = default;
    Status receive(double seconds, const CancelToken& cancel);
    /// Exactly `size` bytes, before the deadline.
    Status receive_bytes(void* data, size_t size, const Deadline& deadline);
    void end();
    std::string how_it_ended();

    int socket_ = -1, shared_ = -1;
    int pid_ = -1;
    std::byte* memory_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace partita::plugin
