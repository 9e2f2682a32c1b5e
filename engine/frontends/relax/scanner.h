// Splits Python's text into words, with its rules for lines: a line ends where no bracket is open, comments and empty
// lines are nothing, and each line has an indentation.
#pragma once

#include <string>
#include <string_view>

#include "engine/support/syntax_error.h"

namespace partita::relax {

struct Token {
    enum class Kind : uint8_t { Name, Number, String, Symbol, LineEnd, End };

    Kind kind = Kind::End;
    std::string_view text;  ///< of a String without its quotes, not decoded
    size_t offset = 0;      ///< of the first character in the text
    SourcePosition position;
    uint32_t indent = 0;  ///< of its line

    bool is(std::string_view symbol) const { return (kind == Kind::Symbol || kind == Kind::Name) && text == symbol; }
};

class Scanner {
public:
    /// `text` must outlive this.
    explicit Scanner(std::string_view text);

    const Token& next() const { return next_; }
    /// The one behind the next.
    Token after() const;
    Token take();
    std::string_view text() const { return text_; }
    /// Whether a bracket is open before the next one.
    bool in_brackets() const { return depth_ > 0; }

private:
    void advance();
    void skip_blanks();
    void skip_line_ends();
    size_t end_of_string(size_t begin, size_t quote_length) const;
    void make(Token::Kind kind, size_t length);
    void pass(size_t count);
    [[noreturn]] void fail(const std::string& message) const;

    std::string_view text_;
    size_t at_ = 0, line_begin_ = 0;
    uint32_t line_ = 1, indent_ = 0, depth_ = 0;
    bool at_line_begin_ = true;
    Token next_;
};

/// Returns lines of a text whose first begins behind its indentation, each moved to the left by `indent` columns,
/// without empty ones at the end.
std::string moved_left(std::string_view lines, uint32_t indent);

}  // namespace partita::relax
