#include "engine/frontends/relay/json_cursor.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "engine/frontends/relay/syntax_error.h"

namespace partita::relay {

namespace {

constexpr int kDeepest = 64;

std::string found(char character) {
    if (character == '\0') return "the end of the text";
    return quoted({&character, 1});
}

void append_utf8(std::string& out, uint32_t code) {
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xc0 | code >> 6);
        out += char(0x80 | (code & 63));
    } else if (code < 0x10000) {
        out += char(0xe0 | code >> 12);
        out += char(0x80 | (code >> 6 & 63));
        out += char(0x80 | (code & 63));
    } else {
        out += char(0xf0 | code >> 18);
        out += char(0x80 | (code >> 12 & 63));
        out += char(0x80 | (code >> 6 & 63));
        out += char(0x80 | (code & 63));
    }
}

}  // namespace

char JsonCursor::peek() {
    while (cursor_ != end_) {
        char c = *cursor_;
        if (c == '\n') {
            ++line_;
            line_begin_ = cursor_ + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return c;
        }
        ++cursor_;
    }
    return '\0';
}

bool JsonCursor::take(char character) {
    if (peek() != character || cursor_ == end_) return false;
    ++cursor_;
    return true;
}

void JsonCursor::expect(char character, const char* where) {
    if (take(character)) return;
    fail(position(), std::string(what_) + "expected `" + character + "` in " + where + ", found " + found(peek()));
}

std::string_view JsonCursor::string() {
    if (peek() != '"') fail(position(), std::string(what_) + "expected a string, found " + found(peek()));
    SourcePosition place = position();
    const char* begin = ++cursor_;
    const char* close = begin;
    bool escaped = false;
    while (true) {
        close = close < end_ ? static_cast<const char*>(std::memchr(close, '"', size_t(end_ - close))) : nullptr;
        if (!close) fail(place, std::string(what_) + "this string does not end");
        size_t slashes = 0;
        while (close - slashes > begin && close[-1 - std::ptrdiff_t(slashes)] == '\\') ++slashes;
        escaped |= slashes > 0;
        if (slashes % 2 == 0) break;
        ++close;
    }
    if (!escaped) escaped = std::memchr(begin, '\\', size_t(close - begin)) != nullptr;
    std::string_view text = escaped ? unescape(begin, close) : std::string_view(begin, size_t(close - begin));
    cursor_ = close + 1;
    return text;
}

uint32_t JsonCursor::hex4(const char*& place, const char* end) {
    uint32_t code = 0;
    auto [stop, failure] = std::from_chars(place, std::min(place + 4, end), code, 16);
    if (failure != std::errc() || stop != place + 4)
        fail(position(), std::string(what_) + "expected four hexadecimal digits after `\\u`");
    place = stop;
    return code;
}

std::string_view JsonCursor::unescape(const char* begin, const char* end) {
    std::string& text = storage_.emplace_back();
    for (const char* place = begin; place != end;) {
        char c = *place++;
        if (c != '\\') {
            text += c;
            continue;
        }
        char letter = *place++;  // a string does not end in a lone backslash
        switch (letter) {
            case '"':
            case '\\':
            case '/': text += letter; break;
            case 'b': text += '\b'; break;
            case 'f': text += '\f'; break;
            case 'n': text += '\n'; break;
            case 'r': text += '\r'; break;
            case 't': text += '\t'; break;
            case 'u': {
                uint32_t code = hex4(place, end);
                if (code >= 0xd800 && code < 0xdc00 && end - place >= 6 && place[0] == '\\' && place[1] == 'u') {
                    place += 2;
                    code = 0x10000 + ((code - 0xd800) << 10) + ((hex4(place, end) - 0xdc00) & 0x3ff);
                }
                append_utf8(text, code);
                break;
            }
            default: fail(position(), std::string(what_) + "unknown escape `\\" + letter + "` in this string");
        }
    }
    return text;
}

uint32_t JsonCursor::index() {
    peek();
    uint32_t value = 0;
    auto [stop, failure] = std::from_chars(cursor_, end_, value);
    if (failure != std::errc()) fail(position(), std::string(what_) + "expected an index, found " + found(peek()));
    cursor_ = stop;
    return value;
}

std::string_view JsonCursor::scalar() {
    peek();
    const char* begin = cursor_;
    while (cursor_ != end_ && !std::strchr(",]}:[{\" \n\r\t", *cursor_)) ++cursor_;
    if (cursor_ == begin) fail(position(), std::string(what_) + "expected a value, found " + found(peek()));
    return {begin, size_t(cursor_ - begin)};
}

void JsonCursor::skip_value() {
    int depth = 0;
    do {
        char c = peek();
        if (c == '"') {
            string();
        } else if (c == '{' || c == '[') {
            ++cursor_;
            if (++depth > kDeepest) fail(position(), std::string(what_) + "values nest too deeply");
        } else if (c == '}' || c == ']') {
            ++cursor_;
            --depth;
        } else if (c == '\0' || depth < 0) {
            fail(position(), std::string(what_) + "expected a value, found " + found(c));
        } else {
            ++cursor_;
            if (depth == 0) {
                while (cursor_ != end_ && !std::strchr(",]} \n\r\t", *cursor_)) ++cursor_;
            }
        }
    } while (depth > 0);
}

}  // namespace partita::relay
