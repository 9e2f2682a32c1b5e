// Why the system refused something, in English, as all messages of the engine are. strerror answers in the language of
// the desktop.
#pragma once

#include <cstring>
#include <string>

namespace partita {

/// Returns the reason for `number`, a value of errno: "No such file or directory".
inline std::string system_reason(int number) {
    const char* reason = strerrordesc_np(number);
    return reason ? reason : "error " + std::to_string(number);
}

}  // namespace partita
