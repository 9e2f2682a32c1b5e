// The tokens of Relay text, read one at a time as the parser needs them. Skips white space and comments (`//` to the
// end of the line, `/* */` nested). Allocates no memory: tokens are views of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/support/diagnostic.h"

namespace partita::relay {

enum class TokenKind : uint8_t {
    End,
    Identifier,     ///< letters, digits, `_`, `/`; parts joined by `.`: `nn.conv2d`
    Local,          ///< `%x`; text is the name
    Graph,          ///< `%3`; integer is the number
    Global,         ///< `@main`; text is the name
    Integer,        ///< `3`, `-3`, `3i64`; bits 16, 32, 64
    Float,          ///< `2f`, `1e-05f`, `inff`, `2f64`; bits 16, 32, 64
    Boolean,        ///< `True`, `False`; integer is 1 or 0
    String,         ///< text is the part between the quotes, with its escapes
    MetaReference,  ///< `meta[relay.Constant][3]`; text is the key, integer the index
    Version,        ///< `#[version = "0.0.5"]`; text is the part between the quotes
    // Keywords.
    Let,
    Fn,
    Def,
    If,
    Else,
    Type,
    Match,
    Extern,
    FreeVar,
    Ref,
    RefRead,
    RefWrite,
    Underscore,
    // Punctuation.
    OpenParen,
    CloseParen,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Semicolon,
    Colon,
    Period,
    Equal,
    Question,
    Arrow,
    FatArrow,
    // Infix operators, from here on.
    Plus,
    Minus,
    Star,
    Slash,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualEqual,
    NotEqual,
};

struct Token {
    TokenKind kind = TokenKind::End;
    uint8_t bits = 0;
    SourcePosition position;
    std::string_view text;
    int64_t integer = 0;
    double real = 0;
};

/// Returns the token for messages: "`add`", "the end of the text", "the number `3`".
std::string describe(const Token& token);
/// Returns the kind of an expected token: "`)`", "an identifier".
std::string describe(TokenKind kind);

class Lexer {
public:
    /// Begins before the first token: call advance(). `begin` is the position of the text's first character.
    explicit Lexer(std::string_view text, SourcePosition begin = {1, 1});

    const Token& token() const { return token_; }
    /// Goes to the next token. Throws SyntaxError.
    void advance();
    /// Returns whether the next token is `=` (and not `==`), which distinguishes `%1 = ...` from `%1` and `axis=1` from
    /// `axis`.
    bool equals_follows();
    /// Returns whether this character follows the current token, after white space and comments.
    bool follows(char character);
    /// Reads digits right after a period: the index of a projection. Separate, because `0.1` would be a number.
    Token take_index();
    /// Returns the text from the current token's end on; for a following comment.
    std::string_view rest() const { return {cursor_, size_t(end_ - cursor_)}; }
    /// Returns the text from the current token's beginning on.
    std::string_view from_token() const { return {token_begin_, size_t(end_ - token_begin_)}; }
    /// Continues at `place`, which must lie on the current line within rest().
    void skip_to(const char* place) { cursor_ = place; }
    SourcePosition position() const { return {line_, uint32_t(cursor_ - line_begin_ + 1)}; }

private:
    void skip_space();
    void skip_word();
    void skip_line_comment();
    void skip_block_comment();
    void count_lines(const char* begin, const char* end);
    void lex_word();
    void lex_sigil();
    void lex_number(bool negative);
    void lex_not_finite(size_t letters, double value, bool negative);
    void lex_minus();
    void lex_string();
    void lex_meta_reference();
    void lex_hash();
    void lex_sign();
    bool lex_old_version();
    void finish_number(const char* begin, bool negative);
    int take_width(char letter, int fallback);
    void one(TokenKind kind, size_t length);
    char peek(size_t ahead = 0) const { return size_t(end_ - cursor_) > ahead ? cursor_[ahead] : '\0'; }

    const char* cursor_;
    const char* end_;
    const char* token_begin_;
    const char* line_begin_;
    uint32_t line_;
    Token token_;
};

}  // namespace partita::relay
