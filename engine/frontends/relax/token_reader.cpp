#include "engine/frontends/relax/token_reader.h"

#include <cctype>
#include <set>

#include "engine/support/one_line.h"

namespace partita::relax {

namespace {

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

bool is_letter_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// As `1.` does.
bool ends_in_number(std::string_view text) {
    size_t begin = text.size();
    while (begin > 0 && (is_letter_of_word(text[begin - 1]) || text[begin - 1] == '.')) --begin;
    return begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
}

}  // namespace

void TokenReader::fail_at(const Token& token, const std::string& message) {
    throw SyntaxError{token.position, message};
}

void TokenReader::fail(const std::string& expected) const {
    std::string found = in_quotes(next().text);
    if (next().kind == Token::Kind::LineEnd) found = "the end of the line";
    if (next().kind == Token::Kind::End) found = "the end of the text";
    if (next().kind == Token::Kind::String) found = "a string";
    fail_at(next(), expected + ", found " + found);
}

bool TokenReader::take_if(std::string_view symbol) {
    if (!next().is(symbol)) return false;
    take();
    return true;
}

void TokenReader::expect(std::string_view symbol) {
    if (!take_if(symbol)) fail("expected '" + std::string(symbol) + "'");
}

Token TokenReader::expect_kind(Token::Kind kind, const char* what) {
    if (next().kind != kind) fail(std::string("expected ") + what);
    return take();
}

std::string TokenReader::expect_name(const char* what) {
    return std::string(expect_kind(Token::Kind::Name, what).text);
}

void TokenReader::expect_line_end() {
    const bool ends = next().kind == Token::Kind::LineEnd || next().kind == Token::Kind::End;
    if (ends && scanner_.in_brackets()) fail("expected the end of the brackets");  // the text ends
    if (next().kind != Token::Kind::End) expect_kind(Token::Kind::LineEnd, "the end of the line");
}

void TokenReader::skip_line() {
    while (next().kind != Token::Kind::LineEnd && next().kind != Token::Kind::End) take();
    expect_line_end();
}

TokenReader::Level::Level(TokenReader& reader) : reader_(reader) {
    if (++reader_.depth_ > kDeepest) reader_.fail("brackets and functions are nested too deep");
}

void TokenReader::check_free(std::string_view name) const {
    static const std::set<std::string_view> kReserved{
        "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await", "break", "class",
        "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",   "from",  "global",
        "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",    "pass",  "raise",
        "return",   "try",    "while", "with", "yield",  "I",        "R",       "T",     "cls",   "metadata"};
    if (kReserved.count(name)) fail_at(next(), "expected a name before this, found the word " + in_quotes(name));
}

std::string TokenReader::dotted() {
    std::string name = expect_name();
    while (take_if(".")) name += "." + expect_name();
    return name;
}

std::string TokenReader::escaped(std::string_view inside) {
    std::string text;
    for (size_t i = 0; i < inside.size(); ++i) {
        const char c = inside[i];
        if (c == '\\' && i + 1 < inside.size()) text += c, text += inside[++i];
        else if (c == '"') text += "\\\"";
        else if (c == '\n') text += "\\n";
        else text += c;
    }
    return text;
}

std::string TokenReader::canonical(std::string_view words, const Token& at) {
    std::string text;
    for (Scanner scanner(words);
         scanner.next().kind != Token::Kind::End && scanner.next().kind != Token::Kind::LineEnd;)
        append(text, scanner.take());
    if (text.empty()) fail_at(at, "expected a size");
    return text;
}

std::string TokenReader::text_in_brackets() {
    if (!opens(next())) fail("expected a bracket");
    std::string text, ends;  // the signs that are to come, the last one first
    do {
        if (next().kind == Token::Kind::End || next().kind == Token::Kind::LineEnd)
            fail("expected the end of the brackets");
        if (opens(next())) ends += next().is("(") ? ')' : next().is("[") ? ']' : '}';
        if (closes(next())) {
            if (!next().is(std::string_view(&ends.back(), 1))) fail(std::string("expected ") + ends.back());
            ends.pop_back();
        }
        append(text, take());
    } while (!ends.empty());
    return text;
}

std::string TokenReader::rest_of_item() {
    std::string text;
    for (int open = 0;;) {
        const Token& token = next();
        if (token.kind == Token::Kind::LineEnd || token.kind == Token::Kind::End) break;
        if (open == 0 && (token.is(",") || token.is(":") || closes(token))) break;
        open += opens(token);
        open -= closes(token);
        append(text, take());
    }
    if (text.empty()) fail("expected a value");
    return text;
}

void TokenReader::append(std::string& text, const Token& token) {
    const bool after_bracket = text.empty() || text.ends_with('(') || text.ends_with('[') || text.ends_with('{');
    const bool after_space = text.ends_with(' ');
    const bool is_symbol = token.kind == Token::Kind::Symbol;
    const bool binary = is_symbol && is_arithmetic(token.text) && !after_bracket && !text.ends_with(", ") &&
                        !text.ends_with("= ") && !text.ends_with('=');
    const bool is_word =
        token.kind != Token::Kind::String && !token.text.empty() && is_letter_of_word(token.text.front());
    const bool after_word = (!text.empty() && is_letter_of_word(text.back())) || ends_in_number(text);
    const bool joins_quotes = token.kind == Token::Kind::String && text.ends_with('"');  // three would begin another
    if ((binary && !after_space) || (is_word && after_word) || joins_quotes) text += ' ';
    if (token.kind == Token::Kind::String) text += quoted_as_is(token.text);
    else text += token.text;
    if (binary || token.is(",") || token.is(":")) text += ' ';
    if (text.ends_with(", )")) text.replace(text.size() - 3, 3, ",)");
}

bool TokenReader::is_arithmetic(std::string_view text) {
    return text == "+" || text == "-" || text == "*" || text == "/" || text == "//" || text == "%" || text == "**" ||
           text == "<" || text == ">" || text == "<=" || text == ">=" || text == "==" || text == "!=";
}

}  // namespace partita::relax
