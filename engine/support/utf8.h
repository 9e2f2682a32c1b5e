// Letters of untrusted UTF-8 text.
#pragma once

#include <algorithm>
#include <string_view>

#include <utf8.h>

namespace partita {

inline constexpr char32_t kNoLetter = 0xFFFFFFFF;

/// Calls each(bytes, code) for every letter; for a byte outside well-formed letters, code is kNoLetter.
template <class Each>
void for_each_letter(std::string_view text, Each each) {
    while (!text.empty()) {
        const size_t valid = std::min(utf8::find_invalid(text), text.size());
        for (const char *at = text.data(), *end = at + valid; at != end;) {
            const char* begin = at;
            const char32_t code = utf8::unchecked::next(at);
            each(std::string_view(begin, size_t(at - begin)), code);
        }
        text.remove_prefix(valid);
        if (text.empty()) return;
        each(text.substr(0, 1), kNoLetter);
        text.remove_prefix(1);
    }
}

inline size_t letter_count(std::string_view text) {
    size_t count = 0;
    for_each_letter(text, [&](std::string_view, char32_t) { ++count; });
    return count;
}

/// Returns at most the first `most` bytes, without a partial letter at the end.
inline std::string_view cut_to_bytes(std::string_view text, size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && utf8::internal::is_trail(text[most])) --most;
    return text.substr(0, most);
}

/// Returns whether a letter is a control, or a mark that is invisible or changes the writing direction (UAX #9).
inline bool is_hidden_letter(char32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

}  // namespace partita
