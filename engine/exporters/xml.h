// Text and numbers in XML and HTML.
#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "engine/exporters/picture.h"

namespace partita {

/// Escapes text for content and quoted attributes of XML and HTML.
inline std::string xml_text(std::string_view text) {
    std::string result;
    for (char c : clean_text(text)) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            default: result += c;
        }
    }
    return result;
}

/// Formats a number with at most two decimals and a point, whatever the locale.
inline std::string xml_number(double value) {
    std::array<char, 64> buffer;
    auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 2).ptr;
    std::string text(buffer.data(), end);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace partita
