#include <algorithm>
#include <charconv>
#include <cstring>

#include "engine/frontends/relay/parser_state.h"
#include "engine/support/spelling.h"

namespace partita::relay {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct Section {
    std::string_view text;  ///< before the section
    std::string_view json;
    bool found = false;
};

bool begins_line(std::string_view text, size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
    return at == 0 || text[at - 1] == '\n';
}

/// Returns where `#[metadata]` at `at` ends; npos if there is another token.
size_t end_of_mark(std::string_view text, size_t at) {
    constexpr std::string_view kWord = "metadata";
    const auto past_space = [&text](size_t from) { return std::min(text.find_first_not_of(" \t", from), text.size()); };
    const size_t word = past_space(at + 2);
    if (!text.substr(word).starts_with(kWord)) return std::string_view::npos;
    const size_t close = past_space(word + kWord.size());
    return close < text.size() && text[close] == ']' ? close + 1 : std::string_view::npos;
}

/// Splits the text before `#[metadata]` (before TVM 0.7: `METADATA:`) at the beginning of a line.
Section find_metadata(std::string_view text) {
    for (size_t at = text.find("#["); at != std::string_view::npos; at = text.find("#[", at + 2)) {
        const size_t end = end_of_mark(text, at);
        if (end != std::string_view::npos && begins_line(text, at)) return {text.substr(0, at), text.substr(end), true};
    }
    constexpr std::string_view kOldMark = "METADATA:";
    size_t at = text.find(kOldMark);
    if (at != std::string_view::npos && begins_line(text, at))
        return {text.substr(0, at), text.substr(at + kOldMark.size()), true};
    return {text, {}, false};
}

SourcePosition position_of(std::string_view text, size_t offset) {
    std::string_view before = text.substr(0, offset);
    size_t line_begin = before.rfind('\n') + 1;
    return {uint32_t(std::count(before.begin(), before.end(), '\n') + 1), uint32_t(offset - line_begin + 1)};
}

/// Returns "0.0.5" as 5, "0.1.0" as 1000; -1 if it is not a version.
int version_number(std::string_view text) {
    int number = 0, parts = 0;
    const char* place = text.data();
    const char* end = place + text.size();
    while (parts < 3) {
        int part = 0;
        auto [stop, failure] = std::from_chars(place, end, part);
        if (failure != std::errc() || part < 0 || part > 999) return -1;
        number = number * 1000 + part;
        ++parts;
        place = stop;
        if (place == end) break;
        if (*place++ != '.') return -1;
    }
    return parts == 3 && place == end ? number : -1;
}

constexpr int kKnownVersion = 5;
constexpr size_t kParsedBytesPerExpression = 80;  // of printed text, for reserving

}  // namespace

Parser::Parser(std::string_view text, const RelayParseOptions& options)
    : text_(text), options_(options), lexer_(std::string_view()) {}

void Parser::note(Severity severity, SourcePosition position, std::string message) {
    if (options_.notes) options_.notes->push_back({severity, options_.file, position, std::move(message)});
}

void Parser::expect(TokenKind wanted, const char* where) {
    if (kind() == wanted) return advance();
    fail_expected(describe(wanted), where);
}

void Parser::fail_expected(const std::string& expected, const char* where) {
    fail(token().position, "expected " + expected + " " + where + ", found " + describe(token()));
}

void Parser::check_cancelled() {
    constexpr uint32_t kStatementsBetween = 1024;
    if (++statements_ % kStatementsBetween == 0 && options_.cancel.cancelled()) fail(token().position, "cancelled");
}

void Parser::check_is_text() const {
    constexpr size_t kLooked = 4096;
    std::string_view head = text_.substr(0, kLooked);
    if (size_t zero = head.find('\0'); zero != std::string_view::npos)
        fail(position_of(text_, zero), "this is a binary file: expected Relay text");
    if (text_.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos)
        fail({1, 1},
             "the text is empty: expected a module, such as `def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }`");
}

Module Parser::parse() {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
    check_is_text();
    Section section = find_metadata(text_);
    if (section.found)
        metadata_ =
            Metadata(section.json, position_of(text_, size_t(section.json.data() - text_.data())), text_.size());
    lexer_ = Lexer(section.text);
    size_t expressions = section.text.size() / kParsedBytesPerExpression;
    module_.reserve(expressions, expressions * 3);

    advance();
    parse_version();
    if (kind() == TokenKind::End) fail_expected("a definition", "such as `def @main(...) {...}`");
    if (kind() != TokenKind::Def && kind() != TokenKind::Type && kind() != TokenKind::Extern) {
        parse_lone_expression();
    } else {
        while (kind() != TokenKind::End) parse_definition();
    }
    check_uses_of_functions();
    return std::move(module_);
}

void Parser::parse_version() {
    if (kind() != TokenKind::Version) {
        note(Severity::Note, token().position, "the text has no version line: it is read as version 0.0.5");
        return;
    }
    std::string version(token().text);
    int number = version_number(version);
    if (number < 0 || number > kKnownVersion)
        fail(token().position, "unknown version " + quoted(version) + ": expected 0.0.5 or an older one");
    if (number < kKnownVersion)
        note(Severity::Note, token().position, "the text is of version " + version + ", it is read as version 0.0.5");
    advance();
}

void Parser::parse_definition() {
    SourcePosition position = token().position;
    if (kind() == TokenKind::Type || kind() == TokenKind::Extern)
        fail(position, "algebraic data types are not supported: expected only functions, `def @name(...) {...}`");
    expect(TokenKind::Def, "to begin a definition");
    if (kind() != TokenKind::Global) fail_expected("a function's name such as `@main`", "after `def`");
    Token name = token();
    NameId id = module_.names().intern(name.text);
    auto [earlier, added] = defined_.try_emplace(id, name.position);
    if (!added)
        fail(name.position, describe(name) +
                                " is defined twice: expected another name, the first definition is on line " +
                                std::to_string(earlier->second.line));
    advance();
    module_.set_function(name.text, parse_function(position));
}

void Parser::parse_lone_expression() {
    SourcePosition position = token().position;
    ExprId body = parse_body();
    if (kind() != TokenKind::End) fail_expected("the end of the text", "after the expression");
    if (module_.kind(body) != ExprKind::Function) body = at(position, module_.add_function(free_variables_, body));
    defined_.emplace(module_.names().intern("main"), position);
    module_.set_function("main", body);
}

void Parser::check_uses_of_functions() {
    for (const FunctionUse& use : function_uses_) {
        if (defined_.count(use.name)) continue;
        std::vector<std::string_view> names;
        for (const GlobalFunction& global : module_.functions()) names.push_back(module_.names().text(global.name));
        std::string name(module_.names().text(use.name));
        std::string_view nearest = nearest_spelling(name, names);
        fail(use.position, "the function " + quoted("@" + name) + " is not defined in this module" +
                               (nearest.empty() ? ": expected a `def` of that name"
                                                : ": did you mean `@" + std::string(nearest) + "`?"));
    }
    for (ExprId call : calls_of_functions_) {
        std::string_view name = module_.name(module_.callee(call));
        size_t wanted = module_.parameters(module_.find_function(name)).size(), given = module_.arguments(call).size();
        if (given != wanted)
            fail(module_.position(call), quoted("@" + std::string(name)) + " takes " + std::to_string(wanted) +
                                             (wanted == 1 ? " argument" : " arguments") + ", found " +
                                             std::to_string(given));
    }
}

}  // namespace partita::relay

namespace partita {

Result<Module> parse_relay(std::string_view text, const RelayParseOptions& options) {
    try {
        return relay::Parser(text, options).parse();
    } catch (const SyntaxError& failure) {
        return Diagnostic{Severity::Error, options.file, failure.position, failure.message};
    }
}

}  // namespace partita
