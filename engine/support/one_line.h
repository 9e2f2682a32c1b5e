// Names from files, for use in messages.
#pragma once

#include <string>
#include <string_view>

namespace partita {

/// Returns at most 200 bytes of a name, with control characters as spaces: after a line break it could pass for a
/// separate message.
inline std::string on_one_line(std::string_view name) {
    constexpr size_t kMost = 200;
    std::string text(name.substr(0, kMost));
    for (char& letter : text)
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
    return name.size() > kMost ? text + "..." : text;
}

inline std::string in_quotes(std::string_view name) { return "'" + on_one_line(name) + "'"; }

}  // namespace partita
