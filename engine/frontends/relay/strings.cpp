#include "engine/frontends/relay/strings.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace partita::relay {

std::string unescaped(std::string_view literal) {
    std::string text;
    text.reserve(literal.size());
    for (size_t i = 0; i < literal.size(); ++i) {
        char letter = literal[i];
        if (letter != '\\' || i + 1 == literal.size()) {
            text += letter;
            continue;
        }
        switch (char escape = literal[++i]) {
            case '"':
            case '\\': text += escape; break;
            case 'n': text += '\n'; break;
            case 't': text += '\t'; break;
            case 'r': text += '\r'; break;
            case 'x': {
                uint8_t byte = 0;
                const char* begin = literal.data() + i + 1;
                const char* end = literal.data() + std::min(i + 3, literal.size());
                auto [stop, failure] = std::from_chars(begin, end, byte, 16);
                if (failure == std::errc() && stop == begin + 2) {
                    text += char(byte);
                    i += 2;
                    break;
                }
                [[fallthrough]];
            }
            default: text += '\\'; text += escape;
        }
    }
    return text;
}

void append_quoted(std::string& out, std::string_view text) {
    constexpr char kHex[] = "0123456789ABCDEF";
    out += '"';
    for (char letter : text) {
        uint8_t byte = uint8_t(letter);
        if (letter == '"' || letter == '\\') {
            out += '\\';
            out += letter;
        } else if (byte >= ' ' && byte <= '~') {
            out += letter;
        } else if (letter == '\t') {
            out += "\\t";
        } else if (letter == '\r') {
            out += "\\r";
        } else if (letter == '\n') {
            out += "\\n";
        } else {
            out += "\\x";
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        }
    }
    out += '"';
}

std::string joined(std::span<const std::string_view> names) {
    constexpr size_t kMost = 10;
    std::string text;
    for (size_t i = 0; i < names.size() && i < kMost; ++i) text += (i ? ", `" : "`") + std::string(names[i]) + "`";
    return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace partita::relay
