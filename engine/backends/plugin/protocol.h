// The protocol between the runtime and a plug-in's process: small messages over a socket, tensors in shared memory.
//
// Each message is a header and a body. The runtime sends requests, the other side answers with a status (0: done) and a
// text. Tensors are in one shared file at the offsets that the body of Compile gives, with guard bytes between them.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

namespace partita::plugin {

inline constexpr int kSocket = 3;  ///< open descriptors of the other process
inline constexpr int kSharedMemory = 4;
inline constexpr size_t kGuardBytes = 256;
inline constexpr unsigned char kGuardByte = 0xA5;
inline constexpr uint32_t kLongestMessage = 1u << 30;

enum class Request : uint32_t {
    /// body: JSON {"function": .., "bytes": size of the shared file, "constants": [[value, offset], ..],
    /// "inputs": [offset, ..], "outputs": [offset, ..]}
    Compile,
    Run,  ///< no body
};

struct Header {
    uint32_t kind;    ///< a Request, or the status of an answer
    uint32_t length;  ///< of the body
};

inline bool send_all(int descriptor, const void* data, size_t size) {
    auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        ssize_t sent = ::send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= size_t(sent);
    }
    return true;
}

inline bool send_message(int descriptor, uint32_t kind, const std::string& body) {
    Header header{kind, uint32_t(body.size())};
    return send_all(descriptor, &header, sizeof header) && send_all(descriptor, body.data(), body.size());
}

inline bool receive_all(int descriptor, void* data, size_t size) {
    auto* bytes = static_cast<char*>(data);
    while (size > 0) {
        ssize_t got = ::recv(descriptor, bytes, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        size -= size_t(got);
    }
    return true;
}

}  // namespace partita::plugin
