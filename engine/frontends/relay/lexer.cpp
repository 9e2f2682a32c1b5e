#include "engine/frontends/relay/lexer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "engine/frontends/relay/syntax_error.h"
#include "engine/support/number_text.h"

namespace partita::relay {

namespace {

enum CharacterClass : uint8_t { kOther = 0, kLetter = 1, kDigit = 2, kWord = 3 };

constexpr std::array<uint8_t, 256> kClasses = [] {
    std::array<uint8_t, 256> classes{};
    for (int c = 'a'; c <= 'z'; ++c) classes[size_t(c)] = kLetter;
    for (int c = 'A'; c <= 'Z'; ++c) classes[size_t(c)] = kLetter;
    for (int c = '0'; c <= '9'; ++c) classes[size_t(c)] = kDigit;
    classes['_'] = kLetter;
    classes['/'] = kLetter;
    return classes;
}();

bool is_letter(char c) { return kClasses[uint8_t(c)] == kLetter; }
bool is_digit(char c) { return kClasses[uint8_t(c)] == kDigit; }
bool is_word(char c) { return kClasses[uint8_t(c)] != kOther; }

struct Keyword {
    std::string_view word;
    TokenKind kind;
};
constexpr Keyword kKeywords[] = {
    {"let", TokenKind::Let},          {"fn", TokenKind::Fn},
    {"def", TokenKind::Def},          {"if", TokenKind::If},
    {"else", TokenKind::Else},        {"type", TokenKind::Type},
    {"match", TokenKind::Match},      {"extern", TokenKind::Extern},
    {"free_var", TokenKind::FreeVar}, {"ref", TokenKind::Ref},
    {"ref_read", TokenKind::RefRead}, {"ref_write", TokenKind::RefWrite},
    {"True", TokenKind::Boolean},     {"False", TokenKind::Boolean},
    {"_", TokenKind::Underscore},
};

constexpr size_t kLongestKeyword = 9;

/// Most words are names of operators: their first letter distinguishes nearly all of them from keywords.
constexpr bool may_be_keyword(std::string_view word) {
    if (word.size() > kLongestKeyword) return false;
    switch (word[0]) {
        case 'l':
        case 'f':
        case 'd':
        case 'i':
        case 'e':
        case 't':
        case 'm':
        case 'r':
        case 'T':
        case 'F':
        case '_': return true;
        default: return false;
    }
}
constexpr double kGreatestHalf = 65504.0;

struct Sign {
    TokenKind kind;
    std::string_view text;
};
constexpr Sign kSigns[] = {
    {TokenKind::OpenParen, "("},     {TokenKind::CloseParen, ")"},  {TokenKind::OpenBrace, "{"},
    {TokenKind::CloseBrace, "}"},    {TokenKind::OpenBracket, "["}, {TokenKind::CloseBracket, "]"},
    {TokenKind::Comma, ","},         {TokenKind::Semicolon, ";"},   {TokenKind::Colon, ":"},
    {TokenKind::Period, "."},        {TokenKind::Equal, "="},       {TokenKind::Question, "?"},
    {TokenKind::Arrow, "->"},        {TokenKind::FatArrow, "=>"},   {TokenKind::Plus, "+"},
    {TokenKind::Minus, "-"},         {TokenKind::Star, "*"},        {TokenKind::Slash, "/"},
    {TokenKind::Less, "<"},          {TokenKind::LessEqual, "<="},  {TokenKind::Greater, ">"},
    {TokenKind::GreaterEqual, ">="}, {TokenKind::EqualEqual, "=="}, {TokenKind::NotEqual, "!="},
};

}  // namespace

std::string quoted(std::string_view text) {
    constexpr size_t kLongest = 60;
    std::string out = "`";
    for (char c : text.substr(0, kLongest)) out += uint8_t(c) < ' ' || c == 127 ? '?' : c;
    return out + (text.size() > kLongest ? "...`" : "`");
}

std::string describe(TokenKind kind) {
    for (const Sign& sign : kSigns)
        if (sign.kind == kind) return "`" + std::string(sign.text) + "`";
    switch (kind) {
        case TokenKind::End: return "the end of the text";
        case TokenKind::Identifier: return "a name";
        case TokenKind::Local: return "a variable such as `%x`";
        case TokenKind::Graph: return "a temporary such as `%0`";
        case TokenKind::Global: return "a function's name such as `@main`";
        case TokenKind::Integer: return "an integer";
        case TokenKind::Float: return "a number";
        case TokenKind::Boolean: return "`True` or `False`";
        case TokenKind::String: return "a string";
        case TokenKind::MetaReference: return "a reference such as `meta[relay.Constant][0]`";
        case TokenKind::Version: return "a version line";
        default: break;
    }
    for (const Keyword& keyword : kKeywords)
        if (keyword.kind == kind) return "`" + std::string(keyword.word) + "`";
    return "something else";
}

std::string describe(const Token& token) {
    switch (token.kind) {
        case TokenKind::Identifier: return quoted(token.text);
        case TokenKind::Local: return quoted("%" + std::string(token.text));
        case TokenKind::Graph: return "`%" + std::to_string(token.integer) + "`";
        case TokenKind::Global: return quoted("@" + std::string(token.text));
        case TokenKind::Integer:
        case TokenKind::Float: return "the number " + quoted(token.text);
        case TokenKind::Boolean: return token.integer ? "`True`" : "`False`";
        case TokenKind::String: return "the string " + quoted(token.text);
        case TokenKind::MetaReference:
            return quoted("meta[" + std::string(token.text) + "][" + std::to_string(token.integer) + "]");
        default: return describe(token.kind);
    }
}

Lexer::Lexer(std::string_view text, SourcePosition begin)
    : cursor_(text.data()), end_(text.data() + text.size()), token_begin_(cursor_),
      line_begin_(cursor_ - (begin.column - 1)), line_(begin.line) {}

void Lexer::count_lines(const char* begin, const char* end) {
    while (const char* newline = static_cast<const char*>(std::memchr(begin, '\n', size_t(end - begin)))) {
        ++line_;
        line_begin_ = begin = newline + 1;
    }
}

void Lexer::skip_line_comment() {
    const void* newline = std::memchr(cursor_, '\n', size_t(end_ - cursor_));
    cursor_ = newline ? static_cast<const char*>(newline) : end_;
}

/// Jumps from slash to slash: each one may open or close a comment.
void Lexer::skip_block_comment() {
    SourcePosition opened = position();
    const char* place = cursor_ + 2;
    const char* inner = place;  // a `*` before this belongs to an opening
    int depth = 1;
    while (true) {
        place = place < end_ ? static_cast<const char*>(std::memchr(place, '/', size_t(end_ - place))) : nullptr;
        if (!place) fail(opened, "this comment does not end: expected `*/`");
        if (place > inner && place[-1] == '*') {
            ++place;
            inner = place;
            if (--depth == 0) break;
        } else if (place + 1 < end_ && place[1] == '*') {
            ++depth;
            place += 2;
            inner = place;
        } else {
            ++place;
        }
    }
    count_lines(cursor_, place);
    cursor_ = place;
}

void Lexer::skip_space() {
    while (true) {
        while (cursor_ != end_ && *cursor_ == ' ') ++cursor_;
        if (cursor_ == end_) return;
        switch (*cursor_) {
            case '\t':
            case '\v':
            case '\f': ++cursor_; break;
            case '\n':
                ++cursor_;
                ++line_;
                line_begin_ = cursor_;
                break;
            case '\r':
                if (peek(1) != '\n') fail(position(), "a carriage return must be followed by a newline");
                ++cursor_;
                break;
            case '/':
                if (peek(1) == '*') skip_block_comment();
                else if (peek(1) == '/') skip_line_comment();
                else return;
                break;
            default: return;
        }
    }
}

bool Lexer::follows(char character) {
    skip_space();
    return peek() == character;
}

bool Lexer::equals_follows() { return follows('=') && peek(1) != '='; }

void Lexer::one(TokenKind kind, size_t length) {
    token_.kind = kind;
    token_.text = {cursor_, length};
    cursor_ += length;
}

void Lexer::advance() {
    skip_space();
    token_begin_ = cursor_;
    token_.position = position();
    if (cursor_ == end_) {
        token_.kind = TokenKind::End;
        token_.text = {};
        return;
    }
    char c = *cursor_;
    switch (c) {
        case '%':
        case '@': return lex_sigil();
        case '(': return one(TokenKind::OpenParen, 1);
        case ')': return one(TokenKind::CloseParen, 1);
        case ',': return one(TokenKind::Comma, 1);
        case ';': return one(TokenKind::Semicolon, 1);
        case '"': return lex_string();
        case '#': return lex_hash();
        case '-': return lex_minus();
        default: break;
    }
    if (is_digit(c)) return lex_number(false);
    if (is_letter(c) && c != '/') return lex_word();
    lex_sign();
}

void Lexer::skip_word() {
    const char* place = cursor_;
    while (place != end_ && is_word(*place)) ++place;
    cursor_ = place;
}

void Lexer::lex_sigil() {
    char sigil = *cursor_++;
    const char* begin = cursor_;
    if (sigil == '%' && is_digit(peek())) {
        constexpr ptrdiff_t kMostDigits = 18;
        int64_t number = 0;
        const char* place = begin;
        for (; place != end_ && is_digit(*place); ++place)
            if (place - begin < kMostDigits) number = number * 10 + (*place - '0');
        cursor_ = place;
        token_.integer = number;
        token_.kind = TokenKind::Graph;
        token_.text = {begin, size_t(cursor_ - begin)};
        if (cursor_ - begin > kMostDigits)
            fail(token_.position, quoted(token_.text) + " is too large for the number of a temporary");
        if (is_letter(peek()) && peek() != '/') fail(token_.position, "a variable's name must begin with a letter");
        return;
    }
    if (!is_letter(peek()))
        fail(token_.position, std::string("expected a name after `") + sigil + "`, such as `" + sigil +
                                  (sigil == '%' ? "x` or `%0`" : "main`"));
    skip_word();
    token_.kind = sigil == '%' ? TokenKind::Local : TokenKind::Global;
    token_.text = {begin, size_t(cursor_ - begin)};
}

void Lexer::lex_word() {
    const char* begin = cursor_;
    skip_word();
    std::string_view word(begin, size_t(cursor_ - begin));
    if (word == "meta" && peek() == '[') return lex_meta_reference();
    if (word[0] == 'i' && word.starts_with("inff"))
        return lex_not_finite(4, std::numeric_limits<double>::infinity(), false);
    if (word[0] == 'n' && word.starts_with("nanf"))
        return lex_not_finite(4, std::numeric_limits<double>::quiet_NaN(), false);
    if (may_be_keyword(word))
        for (const Keyword& keyword : kKeywords)
            if (keyword.word == word) {
                token_.kind = keyword.kind;
                token_.text = word;
                token_.integer = word == "True";
                return;
            }
    if (word == "v0" && lex_old_version()) return;
    while (peek() == '.' && is_letter(peek(1))) {
        ++cursor_;
        skip_word();
    }
    token_.kind = TokenKind::Identifier;
    token_.text = {begin, size_t(cursor_ - begin)};
}

/// Reads `v0.0.4` at the beginning of a text, as written before TVM 0.7.
bool Lexer::lex_old_version() {
    const char* place = cursor_;
    while (place != end_ && (is_digit(*place) || *place == '.')) ++place;
    if (place == cursor_) return false;
    token_.kind = TokenKind::Version;
    token_.text = {token_begin_ + 1, size_t(place - token_begin_ - 1)};
    cursor_ = place;
    return true;
}

/// Reads the width after a number's `f` or `i`.
int Lexer::take_width(char letter, int fallback) {
    if (!is_digit(peek())) return fallback;
    const char* begin = cursor_;
    while (is_digit(peek())) ++cursor_;
    std::string_view digits(begin, size_t(cursor_ - begin));
    if (digits == "16") return 16;
    if (digits == "32") return 32;
    if (digits == "64") return 64;
    fail(token_.position, "the suffix `" + std::string(1, letter) + std::string(digits.substr(0, 20)) +
                              "` is invalid: expected a width of 16, 32 or 64");
}

void Lexer::lex_not_finite(size_t letters, double value, bool negative) {
    cursor_ = token_begin_;
    while (peek() == '-') ++cursor_;
    cursor_ += letters;
    token_.bits = uint8_t(take_width('f', 32));
    if (is_word(peek()))
        fail(token_.position, "unknown name " + quoted({token_begin_, size_t(cursor_ - token_begin_ + 1)}));
    token_.kind = TokenKind::Float;
    token_.real = negative ? -value : value;
    token_.text = {token_begin_, size_t(cursor_ - token_begin_)};
}

void Lexer::lex_minus() {
    if (peek(1) == '>') return one(TokenKind::Arrow, 2);
    const char* begin = cursor_;
    while (peek() == '-') ++cursor_;
    bool negative = (cursor_ - begin) % 2 == 1;
    if (is_digit(peek())) return lex_number(negative);
    std::string_view after(cursor_, size_t(end_ - cursor_));
    if (after.starts_with("inff")) return lex_not_finite(4, std::numeric_limits<double>::infinity(), negative);
    if (after.starts_with("nanf")) return lex_not_finite(4, std::numeric_limits<double>::quiet_NaN(), negative);
    cursor_ = begin;
    one(TokenKind::Minus, 1);
}

void Lexer::lex_number(bool negative) {
    const char* begin = cursor_;
    while (is_digit(peek())) ++cursor_;
    bool whole = true;
    if (peek() == '.' && is_digit(peek(1))) {
        whole = false;
        ++cursor_;
        while (is_digit(peek())) ++cursor_;
    } else if (peek() == '.' && !is_word(peek(1))) {
        whole = false;
        ++cursor_;
    }
    if (peek() == 'e' || peek() == 'E') {
        size_t digits = peek(1) == '-' || peek(1) == '+' ? 2 : 1;
        if (is_digit(peek(digits))) {
            whole = false;
            cursor_ += digits;
            while (is_digit(peek())) ++cursor_;
        }
    }
    const char* end = cursor_;
    std::string_view digits(begin, size_t(end - begin));
    if (peek() == 'f') {
        ++cursor_;
        token_.kind = TokenKind::Float;
        token_.bits = uint8_t(take_width('f', 32));
        auto [stop, failure] = std::from_chars(begin, end, token_.real);
        if (failure == std::errc::result_out_of_range) token_.real = number_at_start(std::string(digits));
        const bool too_large = token_.bits == 16   ? token_.real > kGreatestHalf
                               : token_.bits == 32 ? std::isinf(float(token_.real))
                                                   : std::isinf(token_.real);
        if (too_large)
            fail(token_.position, quoted(digits) + " is too large for a float" + std::to_string(token_.bits));
        if (negative) token_.real = -token_.real;
    } else if (!whole) {
        fail(token_.position, quoted(digits) + " is no integer: a floating-point number is written with an f, as " +
                                  quoted(std::string(digits) + "f"));
    } else {
        finish_number(begin, negative);
    }
    if (is_letter(peek()) && peek() != '/')
        fail(token_.position, quoted({begin, size_t(cursor_ - begin + 1)}) + " is no number");
    token_.text = {token_begin_, size_t(cursor_ - token_begin_)};
}

void Lexer::finish_number(const char* begin, bool negative) {
    uint64_t magnitude = 0;
    auto [end, failure] = std::from_chars(begin, cursor_, magnitude);
    uint64_t limit = uint64_t(std::numeric_limits<int64_t>::max()) + negative;
    std::string_view digits(begin, size_t(cursor_ - begin));
    if (failure != std::errc() || magnitude > limit)
        fail(token_.position, quoted(digits) + " is too large for an integer");
    token_.kind = TokenKind::Integer;
    token_.integer = int64_t(negative ? 0 - magnitude : magnitude);
    auto fits = [this](int bits) { return token_.integer >> (bits - 1) == (token_.integer < 0 ? -1 : 0); };
    token_.bits = fits(32) ? 32 : 64;
    if (peek() != 'i') return;
    ++cursor_;
    token_.bits = uint8_t(take_width('i', 32));
    if (!fits(token_.bits))
        fail(token_.position, quoted(digits) + " is too large for an int" + std::to_string(token_.bits));
}

void Lexer::lex_string() {
    const char* begin = ++cursor_;
    while (cursor_ != end_ && *cursor_ != '"') cursor_ += *cursor_ == '\\' && end_ - cursor_ > 1 ? 2 : 1;
    if (cursor_ == end_) fail(token_.position, "this string does not end: expected `\"`");
    token_.kind = TokenKind::String;
    token_.text = {begin, size_t(cursor_ - begin)};
    count_lines(begin, cursor_);
    ++cursor_;
}

void Lexer::lex_meta_reference() {
    const char* begin = ++cursor_;
    while (cursor_ != end_ && (is_word(*cursor_) || *cursor_ == '.')) ++cursor_;
    token_.text = {begin, size_t(cursor_ - begin)};
    token_.kind = TokenKind::MetaReference;
    auto expect = [this](char character) {
        if (peek() != character)
            fail(position(),
                 std::string("expected `") + character + "`: a reference is written `meta[relay.Constant][0]`");
        ++cursor_;
    };
    expect(']');
    expect('[');
    begin = cursor_;
    while (is_digit(peek())) ++cursor_;
    auto [end, failure] = std::from_chars(begin, cursor_, token_.integer);
    if (failure != std::errc()) fail(position(), "expected an index: a reference is written `meta[relay.Constant][0]`");
    expect(']');
}

void Lexer::lex_hash() {
    const char* close = static_cast<const char*>(std::memchr(cursor_, ']', size_t(end_ - cursor_)));
    std::string_view inside = close ? std::string_view(cursor_, size_t(close - cursor_)) : std::string_view();
    size_t word = inside.size() > 1 && inside[1] == '[' ? inside.find_first_not_of(" \t", 2) : std::string_view::npos;
    if (word == std::string_view::npos || !inside.substr(word).starts_with("version"))
        fail(token_.position, "expected `#[version = \"0.0.5\"]` or `#[metadata]` after `#`");
    size_t open_quote = inside.find('"'), close_quote = inside.rfind('"');
    if (open_quote == close_quote) fail(token_.position, "expected a version in quotes, as `#[version = \"0.0.5\"]`");
    token_.kind = TokenKind::Version;
    token_.text = inside.substr(open_quote + 1, close_quote - open_quote - 1);
    count_lines(cursor_, close);
    cursor_ = close + 1;
}

void Lexer::lex_sign() {
    switch (*cursor_) {
        case '=':
            if (peek(1) == '=') return one(TokenKind::EqualEqual, 2);
            if (peek(1) == '>') return one(TokenKind::FatArrow, 2);
            return one(TokenKind::Equal, 1);
        case '<': return peek(1) == '=' ? one(TokenKind::LessEqual, 2) : one(TokenKind::Less, 1);
        case '>': return peek(1) == '=' ? one(TokenKind::GreaterEqual, 2) : one(TokenKind::Greater, 1);
        case '!':
            if (peek(1) == '=') return one(TokenKind::NotEqual, 2);
            break;
        case '{': return one(TokenKind::OpenBrace, 1);
        case '}': return one(TokenKind::CloseBrace, 1);
        case '[': return one(TokenKind::OpenBracket, 1);
        case ']': return one(TokenKind::CloseBracket, 1);
        case ':': return one(TokenKind::Colon, 1);
        case '.': return one(TokenKind::Period, 1);
        case '?': return one(TokenKind::Question, 1);
        case '+': return one(TokenKind::Plus, 1);
        case '*': return one(TokenKind::Star, 1);
        case '/': return one(TokenKind::Slash, 1);
        default: break;
    }
    uint8_t byte = uint8_t(*cursor_);
    constexpr char kHex[] = "0123456789abcdef";
    if (byte < ' ' || byte >= 127)
        fail(token_.position,
             std::string("the byte 0x") + kHex[byte >> 4] + kHex[byte & 15] + " is not allowed in Relay text");
    fail(token_.position, "the character " + quoted({cursor_, 1}) + " is not expected here");
}

Token Lexer::take_index() {
    skip_space();
    Token token;
    token.kind = TokenKind::Integer;
    token.position = position();
    const char* begin = cursor_;
    while (is_digit(peek())) ++cursor_;
    auto [end, failure] = std::from_chars(begin, cursor_, token.integer);
    if (failure != std::errc() || token.integer > std::numeric_limits<int32_t>::max())
        fail(token.position, "expected the index of a field after `.`");
    token.text = {begin, size_t(cursor_ - begin)};
    return token;
}

}  // namespace partita::relay
