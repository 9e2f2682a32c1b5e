// Why the system refused something or ended a process, in English, as all messages of the engine are. strerror and
// strsignal answer in the language of the desktop.
#pragma once

#include <cstring>
#include <string>

namespace partita {

/// Returns the reason for `number`, a value of errno: "No such file or directory".
inline std::string system_reason(int number) {
    const char* reason = strerrordesc_np(number);
    return reason ? reason : "error " + std::to_string(number);
}

/// Returns the name of a signal: "Segmentation fault".
inline std::string signal_name(int number) {
    const char* name = sigdescr_np(number);
    return name ? name : "signal " + std::to_string(number);
}

}  // namespace partita
