// Text of a rule -> tree. Grammar: CEL's (cel-spec, doc/langdef.md), without maps, messages, bytes and unsigned
// literals.
#include <algorithm>
#include <array>
#include <charconv>

#include "engine/rules/rule_program.h"

namespace partita {

namespace {

enum class TokenKind : uint8_t { End, Name, Integer, Real, String, Symbol };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string_view text;
    uint32_t begin = 0, end = 0;
    std::string decoded;  ///< of a string
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    bool next(Token& token, Diagnostic& failure) {
        skip_space();
        token = {};
        token.begin = uint32_t(at_);
        bool good = true;
        if (at_ < text_.size()) {
            char c = text_[at_];
            if ((c == 'r' || c == 'R') && at_ + 1 < text_.size() && (text_[at_ + 1] == '\'' || text_[at_ + 1] == '"')) {
                ++at_;
                good = read_string(token, true, failure);
            } else if (is_letter(c)) {
                token.kind = TokenKind::Name;
                while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
            } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
                read_number(token);
            } else if (c == '\'' || c == '"') {
                good = read_string(token, false, failure);
            } else {
                good = read_symbol(token, failure);
            }
        }
        token.end = uint32_t(at_);
        token.text = text_.substr(token.begin, token.end - token.begin);
        return good;
    }

private:
    void skip_space() {
        while (at_ < text_.size()) {
            if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r') {
                ++at_;
            } else if (text_.substr(at_, 2) == "//") {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else {
                return;
            }
        }
    }

    void read_number(Token& token) {
        token.kind = TokenKind::Integer;
        while (at_ < text_.size()) {
            char c = text_[at_];
            bool exponent_sign = (c == '+' || c == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                                 token.kind == TokenKind::Real;
            bool point = c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
            if (point || c == 'e' || c == 'E') token.kind = TokenKind::Real;
            if (!is_digit(c) && !is_letter(c) && !point && !exponent_sign) return;
            ++at_;
        }
    }

    bool read_string(Token& token, bool raw, Diagnostic& failure) {
        token.kind = TokenKind::String;
        char quote = text_[at_++];
        while (at_ < text_.size() && text_[at_] != quote) {
            char c = text_[at_++];
            if (c == '\n') break;
            if (c == '\\' && !raw && at_ < text_.size()) {
                char escaped = text_[at_++];
                constexpr std::string_view kEscapes = "ntr\\'\"`?";
                size_t which = kEscapes.find(escaped);
                if (which == std::string_view::npos) {
                    failure = error("unknown escape in a string", position_in_text(text_, at_ - 2));
                    return false;
                }
                c = "\n\t\r\\'\"`?"[which];
            }
            token.decoded += c;
        }
        if (at_ >= text_.size() || text_[at_] != quote) {
            failure = error("the string has no end", position_in_text(text_, token.begin));
            return false;
        }
        ++at_;
        return true;
    }

    bool read_symbol(Token& token, Diagnostic& failure) {
        token.kind = TokenKind::Symbol;
        constexpr std::array<std::string_view, 6> kLong = {"&&", "||", "==", "!=", "<=", ">="};
        for (std::string_view symbol : kLong)
            if (text_.substr(at_, 2) == symbol) {
                at_ += 2;
                return true;
            }
        if (std::string_view("()[].,?:!<>+-*/%").find(text_[at_]) == std::string_view::npos) {
            std::string message = std::string("the character '") + text_[at_] + "' can't stand here";
            if (text_[at_] == '=') message = "'=' can't stand here; did you mean '=='?";
            if (text_[at_] == '&') message = "'&' can't stand here; did you mean '&&'?";
            if (text_[at_] == '|') message = "'|' can't stand here; did you mean '||'?";
            failure = error(message, position_in_text(text_, at_));
            return false;
        }
        ++at_;
        return true;
    }

    std::string_view text_;
    size_t at_ = 0;
};

/// Recursive descent; kRuleDepth bounds the depth of recursion.
class Parser {
public:
    explicit Parser(std::string_view text) : program_(std::make_unique<RuleProgram>()), lexer_("") {
        program_->text = text;
        lexer_ = Lexer(program_->text);
    }

    Result<std::unique_ptr<RuleProgram>> parse() {
        uint32_t root = 0;
        if (!advance() || !parse_expression(root)) return failure_;
        if (token_.kind != TokenKind::End) {
            fail_here(expected_operator());
            return failure_;
        }
        if (too_high_) return error("the rule is nested too deeply", {1, 1});
        program_->root = root;
        return std::move(program_);
    }

private:
    using Children = std::vector<uint32_t>;

    bool advance() {
        last_end_ = token_.end;
        return lexer_.next(token_, failure_);
    }
    bool fail_here(const std::string& message) {
        std::string found = token_.kind == TokenKind::End ? "the end" : "'" + std::string(token_.text) + "'";
        failure_ = error(message + ", found " + found, position_in_text(program_->text, token_.begin));
        return false;
    }
    /// Suggests this language's words to people who write Python's.
    std::string expected_operator() const {
        if (at_word("and")) return "expected an operator (and is written &&)";
        if (at_word("or")) return "expected an operator (or is written ||)";
        return "expected an operator";
    }
    bool at(std::string_view symbol) const { return token_.kind == TokenKind::Symbol && token_.text == symbol; }
    bool at_word(std::string_view word) const { return token_.kind == TokenKind::Name && token_.text == word; }
    bool expect(std::string_view symbol) {
        if (!at(symbol)) return fail_here("expected '" + std::string(symbol) + "'");
        return advance();
    }

    uint32_t add(RuleOp op, uint32_t begin, const Children& children, std::string_view name = {}) {
        RuleNode node;
        node.op = op;
        node.begin = begin;
        node.end = last_end_;
        node.first_child = uint32_t(program_->children.size());
        node.child_count = uint32_t(children.size());
        node.name = name;
        program_->children.insert(program_->children.end(), children.begin(), children.end());
        program_->nodes.push_back(node);
        int height = 1;
        for (uint32_t child : children) height = std::max(height, heights_[child] + 1);
        heights_.push_back(height);
        too_high_ |= height > kRuleHeight;
        return uint32_t(program_->nodes.size() - 1);
    }
    uint32_t add_constant(RuleValue value, uint32_t begin) {
        uint32_t id = add(RuleOp::Constant, begin, {});
        program_->nodes[id].slot = uint32_t(program_->constants.size());
        program_->constants.push_back(value);
        return id;
    }
    uint32_t begin_of(uint32_t id) const { return program_->nodes[id].begin; }

    /// Counts the recursion depth of the parser.
    struct Depth {
        explicit Depth(Parser& parser) : parser(parser) { ++parser.depth_; }
        ~Depth() { --parser.depth_; }
        Parser& parser;
    };
    bool too_deep() {
        if (depth_ <= kRuleDepth) return false;
        failure_ = error("the rule is nested too deeply", position_in_text(program_->text, token_.begin));
        return true;
    }

    bool parse_expression(uint32_t& result) {
        Depth depth(*this);
        if (too_deep()) return false;
        if (!parse_or(result)) return false;
        if (!at("?")) return true;
        uint32_t when_true = 0, when_false = 0;
        if (!advance() || !parse_or(when_true) || !expect(":") || !parse_expression(when_false)) return false;
        result = add(RuleOp::Conditional, begin_of(result), {result, when_true, when_false});
        return true;
    }

    template <class Operand>
    bool parse_logic(uint32_t& result, std::string_view symbol, RuleOp op, Operand parse_operand) {
        if (!parse_operand(result)) return false;
        if (!at(symbol)) return true;
        Children children{result};
        while (at(symbol)) {
            uint32_t operand = 0;
            if (!advance() || !parse_operand(operand)) return false;
            children.push_back(operand);
        }
        result = add(op, begin_of(result), children);
        return true;
    }
    bool parse_or(uint32_t& result) {
        return parse_logic(result, "||", RuleOp::Or, [this](uint32_t& operand) { return parse_and(operand); });
    }
    bool parse_and(uint32_t& result) {
        return parse_logic(result, "&&", RuleOp::And, [this](uint32_t& operand) { return parse_relation(operand); });
    }

    bool relation_here(RuleOp& op) const {
        if (at("==")) op = RuleOp::Equal;
        else if (at("!=")) op = RuleOp::NotEqual;
        else if (at("<=")) op = RuleOp::LessEqual;
        else if (at(">=")) op = RuleOp::GreaterEqual;
        else if (at("<")) op = RuleOp::Less;
        else if (at(">")) op = RuleOp::Greater;
        else if (at_word("in")) op = RuleOp::In;
        else return false;
        return true;
    }
    bool parse_relation(uint32_t& result) {
        if (!parse_sum(result)) return false;
        RuleOp op;
        if (!relation_here(op)) return true;
        uint32_t right = 0;
        if (!advance() || !parse_sum(right)) return false;
        result = add(op, begin_of(result), {result, right});
        if (relation_here(op)) return fail_here("comparisons can't be chained: expected '&&'");
        return true;
    }

    /// Left-associative chains make trees as deep as they are long, so their length counts as depth.
    template <class Operand, class Which>
    bool parse_chain(uint32_t& result, Which which, Operand parse_operand) {
        if (!parse_operand(result)) return false;
        RuleOp op;
        for (int length = 0; which(op); ++length) {
            if (length == kRuleDepth) return fail_here("the rule is nested too deeply");
            uint32_t right = 0;
            if (!advance() || !parse_operand(right)) return false;
            result = add(op, begin_of(result), {result, right});
        }
        return true;
    }
    bool parse_sum(uint32_t& result) {
        auto which = [this](RuleOp& op) {
            op = at("+") ? RuleOp::Add : RuleOp::Subtract;
            return at("+") || at("-");
        };
        return parse_chain(result, which, [this](uint32_t& operand) { return parse_product(operand); });
    }
    bool parse_product(uint32_t& result) {
        auto which = [this](RuleOp& op) {
            op = at("*") ? RuleOp::Multiply : at("/") ? RuleOp::Divide : RuleOp::Modulo;
            return at("*") || at("/") || at("%");
        };
        return parse_chain(result, which, [this](uint32_t& operand) { return parse_unary(operand); });
    }

    bool parse_unary(uint32_t& result) {
        Depth depth(*this);
        if (too_deep()) return false;
        bool is_not = at("!");
        if (!is_not && !at("-")) return parse_member(result);
        uint32_t begin = token_.begin;
        if (!advance()) return false;
        if (!is_not && (token_.kind == TokenKind::Integer || token_.kind == TokenKind::Real)) {
            if (!parse_number(result, true)) return false;
            program_->nodes[result].begin = begin;
            return parse_suffixes(result);
        }
        if (!parse_unary(result)) return false;
        result = add(is_not ? RuleOp::Not : RuleOp::Negate, begin, {result});
        return true;
    }

    bool parse_member(uint32_t& result) { return parse_primary(result) && parse_suffixes(result); }

    bool parse_suffixes(uint32_t& result) {
        for (int length = 0; at(".") || at("["); ++length) {
            if (length == kRuleDepth) return fail_here("the rule is nested too deeply");
            if (at("[")) {
                uint32_t index = 0;
                if (!advance() || !parse_expression(index) || !expect("]")) return false;
                result = add(RuleOp::Index, begin_of(result), {result, index});
                continue;
            }
            if (!advance()) return false;
            if (token_.kind != TokenKind::Name) return fail_here("expected a name after '.'");
            std::string_view name = token_.text;
            if (!advance()) return false;
            if (!at("(")) {
                result = add(RuleOp::Select, begin_of(result), {result}, name);
                continue;
            }
            Children children{result};
            if (!parse_arguments(children)) return false;
            result = add_method(name, begin_of(result), children);
        }
        return true;
    }

    uint32_t add_method(std::string_view name, uint32_t begin, const Children& children) {
        uint32_t id = add(RuleOp::Call, begin, children, name);
        program_->nodes[id].is_method = true;
        return id;
    }

    bool parse_arguments(Children& children) {
        if (!advance()) return false;
        while (!at(")")) {
            uint32_t argument = 0;
            if (!parse_expression(argument)) return false;
            children.push_back(argument);
            if (at(",")) {
                if (!advance()) return false;
            } else if (!at(")")) {
                return fail_here("expected ',' or ')'");
            }
        }
        return advance();
    }

    bool parse_primary(uint32_t& result) {
        uint32_t begin = token_.begin;
        switch (token_.kind) {
            case TokenKind::Integer:
            case TokenKind::Real: return parse_number(result, false);
            case TokenKind::String: {
                program_->strings.push_back(token_.decoded);
                if (!advance()) return false;
                result = add_constant(RuleValue::of(std::string_view(program_->strings.back())), begin);
                return true;
            }
            case TokenKind::Name: return parse_name(result);
            case TokenKind::End: return fail_here("expected a value");
            case TokenKind::Symbol: break;
        }
        if (at("(")) {
            if (!advance() || !parse_expression(result) || !expect(")")) return false;
            program_->nodes[result].begin = begin;
            program_->nodes[result].end = last_end_;
            return true;
        }
        if (at("[")) {
            Children children;
            if (!advance()) return false;
            while (!at("]")) {
                uint32_t item = 0;
                if (!parse_expression(item)) return false;
                children.push_back(item);
                if (at(",")) {
                    if (!advance()) return false;
                } else if (!at("]")) {
                    return fail_here("expected ',' or ']'");
                }
            }
            if (!advance()) return false;
            result = add(RuleOp::List, begin, children);
            return true;
        }
        return fail_here("expected a value");
    }

    bool parse_name(uint32_t& result) {
        uint32_t begin = token_.begin;
        std::string_view name = token_.text;
        if (!advance()) return false;
        if (name == "true" || name == "false") {
            result = add_constant(RuleValue::of(name == "true"), begin);
            return true;
        }
        if (name == "null") {
            result = add_constant(RuleValue(), begin);
            return true;
        }
        if (at("(")) {
            Children children;
            if (!parse_arguments(children)) return false;
            result = add(RuleOp::Call, begin, children, name);
            return true;
        }
        result = add(RuleOp::Identifier, begin, {}, name);
        return true;
    }

    bool parse_number(uint32_t& result, bool negative) {
        Token number = token_;
        std::string digits = (negative ? "-" : "") + std::string(number.text);
        auto wrong = [&](const char* why) {
            failure_ = error("'" + digits + "' " + why, position_in_text(program_->text, number.begin));
            return false;
        };
        if (!advance()) return false;
        if (number.kind == TokenKind::Real) {
            double value = 0;
            auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (fault != std::errc() || end != digits.data() + digits.size()) return wrong("is no number");
            result = add_constant(RuleValue::of(value), number.begin);
            return true;
        }
        bool hex = number.text.starts_with("0x") || number.text.starts_with("0X");
        if (hex) digits = (negative ? "-" : "") + std::string(number.text.substr(2));
        int64_t value = 0;
        auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
        if (fault == std::errc::result_out_of_range) return wrong("does not fit into 64 bits");
        if (fault != std::errc() || end != digits.data() + digits.size()) return wrong("is no number");
        result = add_constant(RuleValue::of(value), number.begin);
        return true;
    }

    std::unique_ptr<RuleProgram> program_;
    Lexer lexer_;
    Token token_;
    uint32_t last_end_ = 0;
    int depth_ = 0;
    std::vector<int> heights_;  ///< by node: stack depth of its evaluation
    bool too_high_ = false;
    Diagnostic failure_;
};

}  // namespace

SourcePosition position_in_text(std::string_view text, size_t offset) {
    SourcePosition position{1, 1};
    for (size_t i = 0; i < offset && i < text.size(); ++i) {
        if (text[i] == '\n') position = {position.line + 1, 1};
        else ++position.column;
    }
    return position;
}

Result<std::unique_ptr<RuleProgram>> parse_rule(std::string_view text) {
    if (text.size() > kRuleTextBytes)
        return error("the rule is longer than " + std::to_string(kRuleTextBytes) + " bytes");
    return Parser(text).parse();
}

}  // namespace partita
