#include "engine/exporters/picture.h"
#include "engine/support/utf8.h"

namespace partita {

std::string clean_text(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for_each_letter(text, [&](std::string_view bytes, char32_t code) {
        const bool unwanted = code == kNoLetter || code == 0xFFFE || code == 0xFFFF || is_hidden_letter(code);
        result += unwanted ? "\ufffd" : bytes;
    });
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
