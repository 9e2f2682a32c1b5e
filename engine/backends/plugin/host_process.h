// The process of a plug-in, as seen from the runtime: starts it, sends requests, and kills it when it misbehaves.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/backends/plugin/protocol.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::plugin {

/// The end of the waiting: a time, or a cancel.
struct Deadline {
    std::chrono::steady_clock::time_point end;
    double seconds;  ///< the original time limit
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
    /// Fails with the plug-in's message, or with the way its process ended. After a failure that ended it, every
    /// further request fails.
    Status ask(Request request, const std::string& body, double seconds, const CancelToken& cancel);

private:
    HostProcess() = default;
    Status receive(double seconds, const CancelToken& cancel);
    /// Receives exactly `size` bytes, before the deadline.
    Status receive_bytes(void* data, size_t size, const Deadline& deadline);
    void end();
    std::string how_it_ended();

    int socket_ = -1, shared_ = -1;
    int pid_ = -1;
    std::byte* memory_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace partita::plugin
