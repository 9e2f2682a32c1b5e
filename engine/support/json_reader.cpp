#include "engine/support/json_reader.h"

#include <charconv>
#include <cstdlib>
#include <unordered_set>

#include <nlohmann/json.hpp>

namespace partita {

namespace {

void append_utf8(uint32_t code, std::string& text) {
    if (code < 0x80) {
        text += char(code);
    } else if (code < 0x800) {
        text += char(0xC0 | code >> 6);
        text += char(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        text += char(0xE0 | code >> 12);
        text += char(0x80 | (code >> 6 & 0x3F));
        text += char(0x80 | (code & 0x3F));
    } else {
        text += char(0xF0 | code >> 18);
        text += char(0x80 | (code >> 12 & 0x3F));
        text += char(0x80 | (code >> 6 & 0x3F));
        text += char(0x80 | (code & 0x3F));
    }
}

class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    Result<JsonValue> read_document() {
        JsonValue value;
        skip_space();
        if (!read_value(value, 0)) return failure_;
        skip_space();
        if (at_ < text_.size()) {
            fail("expected the end of the text");
            return failure_;
        }
        return value;
    }

private:
    bool fail(std::string message) {
        failure_ = error(std::move(message), position());
        return false;
    }

    SourcePosition position() const { return {line_, uint32_t(at_ - line_begin_ + 1)}; }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_space() {
        for (; at_ < text_.size(); ++at_) {
            char c = text_[at_];
            if (c == '\n') {
                ++line_;
                line_begin_ = at_ + 1;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return;
            }
        }
    }

    // Depth is bounded by kJsonDepth.
    bool read_value(JsonValue& value, int depth) {
        if (depth > kJsonDepth) return fail("nested more than " + std::to_string(kJsonDepth) + " deep");
        value.position = position();
        value.offset = uint32_t(at_);
        const bool read = read_any(value, depth);
        value.end = uint32_t(at_);
        return read;
    }

    bool read_any(JsonValue& value, int depth) {
        switch (peek()) {
            case '{': return read_object(value, depth);
            case '[': return read_array(value, depth);
            case '"': value.kind = JsonValue::Kind::String; return read_string(value.text);
            case 't':
                value.kind = JsonValue::Kind::Bool;
                value.boolean = true;
                return read_word("true");
            case 'f': value.kind = JsonValue::Kind::Bool; return read_word("false");
            case 'n': return read_word("null");
            default: return read_number(value);
        }
    }

    bool read_word(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return fail("expected a value");
        at_ += word.size();
        return true;
    }

    bool read_number(JsonValue& value) {
        size_t begin = at_;
        if (peek() == '-') ++at_;
        if (peek() < '0' || peek() > '9') {
            at_ = begin;
            return fail(at_ == text_.size() ? "expected a value, found the end of the text" : "expected a value");
        }
        if (peek() == '0' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9')
            return fail("a number can't begin with 0");
        value.kind = JsonValue::Kind::Number;
        auto [end, fault] = std::from_chars(text_.data() + begin, text_.data() + text_.size(), value.number);
        if (fault != std::errc()) return fail("the number is out of range");
        at_ = size_t(end - text_.data());
        return true;
    }

    bool read_hex(uint32_t& code) {
        if (at_ + 4 > text_.size()) return fail("expected four hexadecimal digits");
        auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, code, 16);
        if (fault != std::errc() || end != text_.data() + at_ + 4) return fail("expected four hexadecimal digits");
        at_ += 4;
        return true;
    }

    bool read_escape(std::string& text) {
        char c = peek();
        ++at_;
        switch (c) {
            case '"':
            case '\\':
            case '/': text += c; return true;
            case 'b': text += '\b'; return true;
            case 'f': text += '\f'; return true;
            case 'n': text += '\n'; return true;
            case 'r': text += '\r'; return true;
            case 't': text += '\t'; return true;
            case 'u': break;
            default: --at_; return fail("unknown escape in a string");
        }
        uint32_t code = 0;
        if (!read_hex(code)) return false;
        if (code >= 0xD800 && code < 0xDC00) {
            uint32_t low = 0;
            if (text_.substr(at_, 2) != "\\u") return fail("a surrogate stands alone");
            at_ += 2;
            if (!read_hex(low)) return false;
            if (low < 0xDC00 || low > 0xDFFF) return fail("a surrogate stands alone");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code < 0xE000) {
            return fail("a surrogate stands alone");
        }
        append_utf8(code, text);
        return true;
    }

    bool read_string(std::string& text) {
        ++at_;
        while (at_ < text_.size()) {
            char c = text_[at_];
            if (c == '"') {
                ++at_;
                return true;
            }
            if (uint8_t(c) < 0x20) return fail("a string can't hold a line break or control character; write \\n");
            ++at_;
            if (c != '\\') text += c;
            else if (!read_escape(text)) return false;
        }
        return fail("the string has no end");
    }

    bool read_array(JsonValue& value, int depth) {
        value.kind = JsonValue::Kind::Array;
        ++at_;
        skip_space();
        if (peek() == ']') {
            ++at_;
            return true;
        }
        for (;;) {
            skip_space();
            value.items.emplace_back();
            if (!read_value(value.items.back(), depth + 1)) return false;
            skip_space();
            char c = peek();
            if (c != ',' && c != ']') return fail("expected ',' or ']'");
            ++at_;
            if (c == ']') return true;
        }
    }

    bool read_object(JsonValue& value, int depth) {
        value.kind = JsonValue::Kind::Object;
        ++at_;
        skip_space();
        if (peek() == '}') {
            ++at_;
            return true;
        }
        for (std::unordered_set<std::string> keys;;) {
            skip_space();
            if (peek() != '"') return fail("expected a key in quotes");
            JsonMember member;
            member.key_position = position();
            if (!read_string(member.key)) return false;
            if (!keys.insert(member.key).second) {
                failure_ = error("the key \"" + member.key + "\" stands twice", member.key_position);
                return false;
            }
            skip_space();
            if (peek() != ':') return fail("expected ':'");
            ++at_;
            skip_space();
            if (!read_value(member.value, depth + 1)) return false;
            value.members.push_back(std::move(member));
            skip_space();
            char c = peek();
            if (c != ',' && c != '}') return fail("expected ',' or '}'");
            ++at_;
            if (c == '}') return true;
        }
    }

    std::string_view text_;
    size_t at_ = 0;
    uint32_t line_ = 1;
    size_t line_begin_ = 0;
    Diagnostic failure_;
};

}  // namespace

const JsonValue* JsonValue::member(std::string_view key) const {
    for (const JsonMember& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

std::string_view JsonValue::kind_name() const {
    switch (kind) {
        case Kind::Null: return "null";
        case Kind::Bool: return "true or false";
        case Kind::Number: return "a number";
        case Kind::String: return "a string";
        case Kind::Array: return "an array";
        case Kind::Object: return "an object";
    }
    return "";
}

Result<JsonValue> read_json(std::string_view text) {
    if (text.size() > (size_t(1) << 28)) return error("the text is larger than 256 MiB");
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return JsonReader(text).read_document();
}

SourcePosition position_in_string(std::string_view source, const JsonValue& string, size_t offset) {
    SourcePosition position = string.position;
    size_t raw = string.offset + 1;
    ++position.column;
    for (size_t decoded = 0; decoded < offset && raw < source.size() && source[raw] != '"';) {
        size_t raw_length = 1, decoded_length = 1;
        if (source[raw] == '\\') {
            bool unicode = raw + 1 < source.size() && source[raw + 1] == 'u';
            raw_length = 2;
            if (unicode) {
                uint32_t code = 0;
                std::from_chars(source.data() + raw + 2, source.data() + std::min(raw + 6, source.size()), code, 16);
                const bool pair = code >= 0xD800 && code < 0xDC00;  // two escapes for one character
                raw_length = pair ? 12 : 6;
                decoded_length = pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
            }
        }
        raw += raw_length;
        position.column += uint32_t(raw_length);
        decoded += decoded_length;
    }
    return position;
}

std::string with_json_value(std::string_view source, std::span<const std::string> path, std::string_view value) {
    Result<JsonValue> document = read_json(source);
    if (!document || source.starts_with("\xEF\xBB\xBF")) return {};
    const auto replaced = [source](size_t begin, size_t end, const std::string& text) {
        return std::string(source.substr(0, begin)) + text + std::string(source.substr(end));
    };
    const JsonValue* at = &*document;
    size_t step = 0;
    while (step < path.size()) {
        const JsonValue* next = at->member(path[step]);
        if (at->is(JsonValue::Kind::Array)) {
            const size_t index = size_t(std::strtoull(path[step].c_str(), nullptr, 10));
            next = index < at->items.size() ? &at->items[index] : nullptr;
        }
        if (!next) break;
        at = next;
        ++step;
    }
    if (step == path.size()) return replaced(at->offset, at->end, std::string(value));
    if (!at->is(JsonValue::Kind::Object)) return {};
    std::string made(value);
    for (size_t i = path.size(); i-- > step + 1;) made = "{" + nlohmann::json(path[i]).dump() + ": " + made + "}";
    const std::string indent(2 * (step + 1), ' '), key = nlohmann::json(path[step]).dump();
    made = "\n" + indent + key + ": " + made + (at->members.empty() ? "\n" + indent.substr(2) : ",");
    return replaced(at->offset + 1, at->offset + 1, made);
}

}  // namespace partita
