#include "engine/support/json_cursor.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <tuple>

#include <utf8.h>

namespace partita {

namespace {

/// Returns the value of the four hexadecimal digits after `\u`, or -1.
int64_t unit_of(std::string_view escape) {
    uint32_t unit = 0;
    if (escape.size() < 6 || !escape.starts_with("\\u")) return -1;
    const char* end = escape.data() + 6;
    const auto [stop, failure] = std::from_chars(escape.data() + 2, end, unit, 16);
    return failure == std::errc() && stop == end ? int64_t(unit) : -1;
}

JsonEscape decode_unicode(std::string_view text, std::string& out) {
    constexpr const char* kAlone = "a surrogate stands alone";
    const int64_t unit = unit_of(text);
    if (unit < 0) return {0, "expected four hexadecimal digits after `\\u`"};
    if (unit < 0xD800 || unit > 0xDFFF) {
        utf8::append(char32_t(unit), out);
        return {6};
    }
    const int64_t low = unit_of(text.substr(6));
    if (unit > 0xDBFF || low < 0xDC00 || low > 0xDFFF) return {0, kAlone};
    utf8::append(char32_t(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), out);
    return {12};
}

bool is_number(std::string_view text) {
    size_t at = 0;
    const auto take = [&](std::string_view any) {
        const bool there = at < text.size() && any.find(text[at]) != std::string_view::npos;
        at += there;
        return there;
    };
    const auto digits = [&] {
        const size_t begin = at;
        while (take("0123456789")) {
        }
        return at - begin;
    };
    take("-");
    const bool zero = at < text.size() && text[at] == '0';
    if (const size_t count = digits(); count == 0 || (zero && count > 1)) return false;
    if (take(".") && digits() == 0) return false;
    if (take("eE") && (take("+-"), digits() == 0)) return false;
    return at == text.size();
}

/// Returns the first quote, backslash or control character.
const char* end_of_plain(const char* at, const char* end) {
    constexpr uint64_t kOnes = 0x0101010101010101, kTops = kOnes * 0x80;
    const auto any_zero = [](uint64_t bytes) { return (bytes - kOnes) & ~bytes & kTops; };
    for (uint64_t bytes; end - at >= 8; at += 8) {  // most strings are long: tensors in base64
        std::memcpy(&bytes, at, 8);
        const uint64_t controls = (bytes - kOnes * 0x20) & ~bytes & kTops;
        if (controls | any_zero(bytes ^ (kOnes * '"')) | any_zero(bytes ^ (kOnes * '\\'))) break;
    }
    return std::find_if(at, end, [](char c) { return c == '"' || c == '\\' || uint8_t(c) < 0x20; });
}

bool is_utf8(std::string_view text) {
    constexpr uint64_t kTops = 0x8080808080808080;
    size_t at = 0;
    for (uint64_t bytes; text.size() - at >= 8; at += 8) {
        std::memcpy(&bytes, text.data() + at, 8);
        if (bytes & kTops) break;
    }
    return utf8::find_invalid(text.substr(at)) == std::string_view::npos;
}

}  // namespace

JsonEscape decode_json_escape(std::string_view text, std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (text.size() > 1 && text[1] == 'u') return decode_unicode(text, out);
    const size_t known = text.size() > 1 ? kLetters.find(text[1]) : std::string_view::npos;
    if (known == std::string_view::npos) return {0, "unknown escape in a string"};
    out += kMeanings[known];
    return {2};
}

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

std::string JsonCursor::found() {
    const char c = peek();
    if (cursor_ == end_) return ", found the end of the text";
    return std::string(", found `") + (uint8_t(c) < ' ' || c == 127 ? '?' : c) + "`";
}

void JsonCursor::expect(char character, const char* where) {
    if (!take(character)) fail(position(), std::string("expected `") + character + "` in " + where + found());
}

void JsonCursor::expect_end(const char* where) {
    peek();
    if (cursor_ != end_) fail(position(), std::string("expected the end of the text after ") + where);
}

std::string_view JsonCursor::key(const char* where) {
    if (peek() != '"') fail(position(), "expected a key in quotes");
    const SourcePosition place = position();
    keys_.push_back({string(), place});
    expect(':', where);
    return keys_.back().text;
}

void JsonCursor::check_keys(size_t first) {
    const auto begin = keys_.begin() + std::ptrdiff_t(first);
    std::sort(begin, keys_.end(), [](const Key& a, const Key& b) {
        return std::tie(a.text, a.position.line, a.position.column) <
               std::tie(b.text, b.position.line, b.position.column);
    });
    const auto twice =
        std::adjacent_find(begin, keys_.end(), [](const Key& a, const Key& b) { return a.text == b.text; });
    if (twice != keys_.end())
        fail(twice[1].position, "the key \"" + std::string(twice->text.substr(0, 200)) + "\" appears twice");
    keys_.erase(begin, keys_.end());
}

std::string_view JsonCursor::string() {
    if (peek() != '"') fail(position(), "expected a string" + found());
    const SourcePosition begin = position();
    ++cursor_;
    const std::string_view text = rest_of_string();
    if (!controls_allowed_ && !is_utf8(text)) fail(begin, "the string is not UTF-8");
    return text;
}

std::string_view JsonCursor::rest_of_string() {
    const char* begin = cursor_;
    cursor_ = end_of_plain(begin, end_);
    if (cursor_ != end_ && *cursor_ == '"') return {begin, size_t(cursor_++ - begin)};
    std::string& text = storage_.emplace_back(begin, cursor_);
    while (cursor_ != end_ && *cursor_ != '"') {
        if (*cursor_ == '\\') {
            const JsonEscape escape = decode_json_escape({cursor_, size_t(end_ - cursor_)}, text);
            if (escape.fault) fail(position(), escape.fault);
            cursor_ += escape.length;
        } else if (controls_allowed_ && *cursor_ != '\n') {
            text += *cursor_++;
        } else {
            fail(position(), "a string can't hold a line break or control character; write \\n");
        }
        const char* plain = cursor_;
        cursor_ = end_of_plain(plain, end_);
        text.append(plain, cursor_);
    }
    if (cursor_ == end_) fail(position(), "the string has no end");
    ++cursor_;
    return text;
}

uint32_t JsonCursor::index() {
    peek();
    uint32_t value = 0;
    auto [stop, failure] = std::from_chars(cursor_, end_, value);
    if (failure != std::errc()) fail(position(), "expected an index" + found());
    cursor_ = stop;
    return value;
}

std::string_view JsonCursor::scalar() {
    peek();
    const char* begin = cursor_;
    const SourcePosition place = position();
    while (cursor_ != end_ && !std::strchr(",]}:[{\" \n\r\t", *cursor_)) ++cursor_;
    const std::string_view text(begin, size_t(cursor_ - begin));
    if (text == "true" || text == "false" || text == "null" || is_number(text)) return text;
    cursor_ = begin;
    fail(place, "expected a value" + found());
}

void JsonCursor::skip_value() {
    struct Nothing {
        JsonCursor& json;
        void open(char) {}
        void close() {}
        void key(std::string_view, SourcePosition) {}
        void leaf() { json.peek() == '"' ? json.string() : json.scalar(); }
    } nothing{*this};
    value(nothing);
}

}  // namespace partita
