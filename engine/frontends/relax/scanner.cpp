#include "engine/frontends/relax/scanner.h"

#include <algorithm>

#include <utf8.h>

namespace partita::relax {

namespace {

bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Decimal or hexadecimal.
bool is_literal_number(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    const std::string_view letters = hexadecimal ? "0123456789abcdefABCDEF_" : "0123456789.eE+-_";
    return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

/// Passes blanks at the begin of a line. Returns the column behind them.
uint32_t pass_indentation(std::string_view text, size_t& at) {
    uint32_t column = 0;
    for (; at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r'); ++at)
        column = text[at] == '\t' ? column / 8 * 8 + 8 : column + 1;
    return column;
}

constexpr std::string_view kSymbols = "+-*/%@&|^~<>()[]{},:.;=!$?";
constexpr std::string_view kLongSymbols[] = {"**", "//", "->", "==", "!=", "<=", ">=", ":=", "<<", ">>"};

}  // namespace

Scanner::Scanner(std::string_view text) : text_(text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kMark)) at_ = line_begin_ = kMark.size();
    if (const size_t bad = std::min(utf8::find_invalid(text_), text_.find(kMark, at_)); bad != text_.npos) {
        pass(bad - at_);
        fail("unexpected character, or the text is not UTF-8");
    }
    advance();
}

void Scanner::fail(const std::string& message) const {
    throw SyntaxError{{line_, uint32_t(at_ - line_begin_ + 1)}, message};
}

Token Scanner::after() const {
    Scanner ahead = *this;
    ahead.advance();
    return ahead.next_;
}

Token Scanner::take() {
    Token token = next_;
    advance();
    return token;
}

/// Goes on by characters that may contain line ends.
void Scanner::pass(size_t count) {
    for (const size_t end = at_ + count; at_ < end; ++at_)
        if (text_[at_] == '\n') {
            ++line_;
            line_begin_ = at_ + 1;
        }
}

/// Within a line, and over line ends where a bracket is open.
void Scanner::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || (c == '\n' && depth_ > 0)) pass(1);
        else if (c == '\\' && text_.substr(at_ + 1).starts_with("\n")) pass(2);
        else if (c == '\\' && text_.substr(at_ + 1).starts_with("\r\n")) pass(3);
        else if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
        else return;
    }
}

/// Empty lines and lines of a comment are nothing.
void Scanner::skip_line_ends() {
    while (at_ < text_.size()) {
        size_t at = at_;
        const uint32_t indent = pass_indentation(text_, at);
        if (at < text_.size() && text_[at] == '#') at = std::min(text_.find('\n', at), text_.size());
        if (at < text_.size() && text_[at] != '\n') {
            indent_ = indent;
            at_ = at;
            return;
        }
        pass(std::min(at + 1, text_.size()) - at_);
    }
}

void Scanner::make(Token::Kind kind, size_t length) {
    next_ = {kind, text_.substr(at_, length), at_, {line_, uint32_t(at_ - line_begin_ + 1)}, indent_};
}

/// Returns where the closing quotes begin.
size_t Scanner::end_of_string(size_t begin, size_t quote_length) const {
    const std::string_view quotes = text_.substr(at_, quote_length);
    for (size_t at = begin; at < text_.size(); ++at) {
        if (text_[at] == '\\') ++at;
        else if (text_[at] == '\n' && quote_length == 1) break;
        else if (text_.substr(at, quote_length) == quotes) return at;
    }
    fail("expected the end of the string that begins here");
}

void Scanner::advance() {
    if (at_line_begin_) skip_line_ends();
    at_line_begin_ = false;
    skip_blanks();
    if (at_ == text_.size()) {
        // The last line may lack its end.
        const bool ended = next_.kind == Token::Kind::LineEnd || next_.kind == Token::Kind::End;
        make(ended ? Token::Kind::End : Token::Kind::LineEnd, 0);
        return;
    }
    const char c = text_[at_];
    if (c == '\n') {
        make(Token::Kind::LineEnd, 1);
        pass(1);
        at_line_begin_ = true;
        return;
    }
    if (c == '"' || c == '\'') {
        const size_t quotes = text_.substr(at_, 3) == std::string(3, c) ? 3 : 1;
        const size_t end = end_of_string(at_ + quotes, quotes);
        make(Token::Kind::String, 0);
        next_.text = text_.substr(at_ + quotes, end - at_ - quotes);
        return pass(end + quotes - at_);
    }
    size_t length = 1;
    if (begins_name(c)) {
        while (at_ + length < text_.size() && (begins_name(text_[at_ + length]) || is_digit(text_[at_ + length])))
            ++length;
        make(Token::Kind::Name, length);
    } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
        const auto continues = [&](char d) {
            const char before = text_[at_ + length - 1];
            return is_digit(d) || begins_name(d) || d == '.' ||
                   ((d == '+' || d == '-') && (before == 'e' || before == 'E'));
        };
        while (at_ + length < text_.size() && continues(text_[at_ + length])) ++length;
        if (!is_literal_number(text_.substr(at_, length))) fail("bad number");
        make(Token::Kind::Number, length);
    } else {
        if (kSymbols.find(c) == std::string_view::npos) fail("unexpected character");
        for (std::string_view symbol : kLongSymbols)
            if (text_.substr(at_).starts_with(symbol)) length = symbol.size();
        if (c == '(' || c == '[' || c == '{') ++depth_;
        if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
        make(Token::Kind::Symbol, length);
    }
    at_ += length;
}

std::string moved_left(std::string_view lines, uint32_t indent) {
    std::string moved;
    for (size_t begin = 0, end; begin < lines.size(); begin = end + 1) {
        end = std::min(lines.find('\n', begin), lines.size());
        size_t at = begin;
        const uint32_t column = pass_indentation(lines.substr(0, end), at);
        if (column > indent && at < end) moved.append(column - indent, ' ');
        moved.append(lines.substr(at, end - at)) += '\n';
    }
    moved.erase(moved.find_last_not_of(" \n") + 1);
    return moved += '\n';
}

}  // namespace partita::relax
