#include "engine/support/place_link.h"

#include <charconv>

namespace partita {

namespace {

constexpr std::string_view kScheme = "partita:";

std::string url_text(std::string_view text) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:*@";
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string made;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (kPlain.find(c) != std::string_view::npos) made += c;
        else made += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return made;
}

std::string from_url(std::string_view text) {
    std::string made;
    for (size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const char* digits = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            made += char(byte);
            i += 2;
        } else {
            made += text[i];
        }
    }
    return made;
}

/// Returns the text before the first `mark`, and takes both off.
std::string_view next_part(std::string_view& text, char mark) {
    const size_t end = text.find(mark);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return part;
}

}  // namespace

std::string place_link_text(const PlaceLink& link) {
    std::string backends;
    for (const std::string& each : link.backends) backends += (backends.empty() ? "" : ",") + url_text(each);
    std::string made;
    const auto add = [&made](std::string_view key, const std::string& value) {
        if (!value.empty()) made += (made.empty() ? "?" : "&") + std::string(key) + "=" + value;
    };
    add("backends", backends);
    add("partitioner", url_text(link.partitioner));
    add("until", url_text(link.until));
    add("select", url_text(link.select));
    add("panel", url_text(link.panel));
    return std::string(kScheme) + url_text(link.file) + made;
}

std::optional<PlaceLink> read_place_link(std::string_view text) {
    if (!text.starts_with(kScheme)) return std::nullopt;
    text.remove_prefix(kScheme.size());
    PlaceLink link;
    link.file = from_url(next_part(text, '?'));
    while (!text.empty()) {
        std::string_view value = next_part(text, '&');
        const std::string_view key = next_part(value, '=');
        if (key == "partitioner") link.partitioner = from_url(value);
        if (key == "until") link.until = from_url(value);
        if (key == "select") link.select = from_url(value);
        if (key == "panel") link.panel = from_url(value);
        while (key == "backends" && !value.empty()) link.backends.push_back(from_url(next_part(value, ',')));
    }
    return link;
}

}  // namespace partita
