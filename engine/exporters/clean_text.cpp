#include "engine/exporters/picture.h"

namespace partita {
namespace {

/// The length of the well-formed UTF-8 sequence that `text` begins with, or 0 (The Unicode Standard, table 3-7).
size_t well_formed_length(std::string_view text) {
    auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    auto is_tail = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
    unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return is_tail(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        bool fits = is_tail(1) && !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second > 0x9f);
        return fits && is_tail(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        bool fits = is_tail(1) && !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second > 0x8f);
        return fits && is_tail(2) && is_tail(3) ? 4 : 0;
    }
    return 0;
}

/// Controls, and marks that change the writing direction or can't be seen.
bool is_unwanted(std::string_view letter) {
    auto byte = [&](size_t i) { return static_cast<unsigned char>(letter[i]); };
    if (letter.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7f;
    if (letter.size() == 2) return (byte(0) == 0xc2 && byte(1) < 0xa0) || letter == "\u061c";
    if (letter.size() != 3) return false;
    return (letter >= "\u200b" && letter <= "\u200f") || (letter >= "\u2028" && letter <= "\u202e") ||
           (letter >= "\u2066" && letter <= "\u2069") || letter == "\ufeff" || letter >= "\ufffe";
}

}  // namespace

std::string clean_text(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        size_t length = well_formed_length(text);
        if (length == 0 || is_unwanted(text.substr(0, length))) result += "\ufffd";
        else result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

std::string markdown_text(std::string_view text) {
    std::string result;
    for (char c : clean_text(text)) {
        if (c == '<') result += "&lt;";
        else if (c == '&') result += "&amp;";
        else if (std::string_view("\\`*_{}[]()#+-!|>~").find(c) != std::string_view::npos)
            result += std::string("\\") + c;
        else result += c;
    }
    return result;
}

}  // namespace partita
