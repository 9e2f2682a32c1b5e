// The only tokenizer of JSON (RFC 8259): passes values on as it reads them and builds nothing, for metadata sections
// and modules, which may hold hundreds of megabytes of tensors. Throws SyntaxError with the position of an error; a
// duplicate key in an object is an error.
//
// Linear in the text, except that the keys of an object are sorted.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/syntax_error.h"

namespace partita {

inline constexpr int kJsonDepth = 64;

/// An escape in a string.
struct JsonEscape {
    size_t length = 0;            ///< bytes, including the backslash; for a surrogate pair both escapes
    const char* fault = nullptr;  ///< what is wrong with it
};
/// Appends the character of the escape that `text` begins with.
JsonEscape decode_json_escape(std::string_view text, std::string& out);

class JsonCursor {
public:
    /// Decodes strings with escapes into `storage`; others stay views of `text`. `what` begins the messages.
    JsonCursor(std::string_view text, SourcePosition begin, std::deque<std::string>& storage, const char* what = "")
        : begin_(text.data()), cursor_(begin_), end_(begin_ + text.size()), line_begin_(cursor_ - (begin.column - 1)),
          line_(begin.line), storage_(storage), what_(what) {}

    /// Accepts control characters in strings, which dmlc-core's JSON writer (used by TVM) does not escape, and what is
    /// no UTF-8.
    void allow_control_characters() { controls_allowed_ = true; }
    SourcePosition position() const { return {line_, uint32_t(cursor_ - line_begin_ + 1)}; }
    /// Returns the number of bytes read.
    size_t offset() const { return size_t(cursor_ - begin_); }
    /// Returns the next character that is not white space; '\0' at the end.
    char peek();
    bool take(char character);
    void expect(char character, const char* where);
    void expect_end(const char* where);
    std::string_view string();
    uint32_t index();
    /// Reads the text of a number, or of true, false or null.
    std::string_view scalar();
    /// Skips any value.
    void skip_value();
    [[noreturn]] void fail(SourcePosition position, const std::string& message) const {
        throw SyntaxError{position, what_ + message};
    }

    /// Calls each(key) for every member of an object; it must read the value.
    template <class Each>
    void object(const char* where, Each each) {
        expect('{', where);
        const size_t first = keys_.size();
        if (take('}')) return;
        do each(key(where));
        while (take(','));
        expect('}', where);
        check_keys(first);
    }
    /// Calls each() for every item of an array; it must read the item.
    template <class Each>
    void array(const char* where, Each each) {
        expect('[', where);
        if (take(']')) return;
        do each();
        while (take(','));
        expect(']', where);
    }
    /// Reads any value without recursion. Calls on `visitor`: open(bracket) before a bracket, close() after it,
    /// key(text, position), and leaf(), which must read a string or scalar.
    template <class Visitor>
    void value(Visitor& visitor);

private:
    struct Key {
        std::string_view text;
        SourcePosition position;
    };
    struct Bracket {
        char sign;
        size_t first_key;
    };

    std::string found();
    /// Behind the quote that begins it.
    std::string_view rest_of_string();
    std::string_view key(const char* where);
    void check_keys(size_t first);

    const char *begin_, *cursor_, *end_, *line_begin_;
    uint32_t line_;
    bool controls_allowed_ = false;
    std::deque<std::string>& storage_;
    std::string what_;
    std::vector<Key> keys_;  ///< of the open objects
};

template <class Visitor>
void JsonCursor::value(Visitor& visitor) {
    std::vector<Bracket> open;
    const auto take_key = [&] {
        key("an object");
        visitor.key(keys_.back().text, keys_.back().position);
    };
    do {
        const char c = peek();
        if (c == '{' || c == '[') {
            if (open.size() > size_t(kJsonDepth))
                fail(position(), "nested more than " + std::to_string(kJsonDepth) + " deep");
            visitor.open(c);
            ++cursor_;
            open.push_back({c, keys_.size()});
            if (peek() != c + 2) {  // '}' is '{' + 2, as ']' is '[' + 2
                if (c == '{') take_key();
                continue;
            }
        } else {
            visitor.leaf();
        }
        while (!open.empty()) {
            const Bracket inner = open.back();
            if (take(',')) {
                if (inner.sign == '{') take_key();
                break;
            }
            expect(char(inner.sign + 2), inner.sign == '{' ? "an object" : "an array");
            visitor.close();
            check_keys(inner.first_key);
            open.pop_back();
        }
    } while (!open.empty());
}

}  // namespace partita
