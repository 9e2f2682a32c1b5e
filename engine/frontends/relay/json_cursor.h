// A reader of JSON (RFC 8259) that hands out values as it meets them and builds nothing: for metadata sections and
// modules, which may hold hundreds of megabytes of tensors. Throws SyntaxError with the place of a fault.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "engine/support/diagnostic.h"

namespace partita::relay {

class JsonCursor {
public:
    /// Strings with escapes are decoded into `storage`, others stay views of `text`.
    /// `what` begins the messages.
    JsonCursor(std::string_view text, SourcePosition begin, std::deque<std::string>& storage,
               const char* what = "bad metadata: ")
        : cursor_(text.data()), end_(text.data() + text.size()), line_begin_(cursor_ - (begin.column - 1)),
          line_(begin.line), storage_(storage), what_(what) {}

    SourcePosition position() const { return {line_, uint32_t(cursor_ - line_begin_ + 1)}; }
    /// The next character that is no white space; '\0' at the end.
    char peek();
    bool take(char character);
    void expect(char character, const char* where);
    std::string_view string();
    uint32_t index();
    /// The text of a number, or of true, false or null.
    std::string_view scalar();
    /// Passes over any value. Nesting is bounded.
    void skip_value();

    /// Calls each(key) for every member of an object; it must take the value.
    template <class Each>
    void object(const char* where, Each each) {
        expect('{', where);
        if (take('}')) return;
        do {
            std::string_view key = string();
            expect(':', where);
            each(key);
        } while (take(','));
        expect('}', where);
    }
    /// Calls each() for every item of an array; it must take the item.
    template <class Each>
    void array(const char* where, Each each) {
        expect('[', where);
        if (take(']')) return;
        do each();
        while (take(','));
        expect(']', where);
    }

private:
    std::string_view unescape(const char* begin, const char* end);
    uint32_t hex4(const char*& place, const char* end);

    const char* cursor_;
    const char* end_;
    const char* line_begin_;
    uint32_t line_;
    std::deque<std::string>& storage_;
    const char* what_;
};

}  // namespace partita::relay
