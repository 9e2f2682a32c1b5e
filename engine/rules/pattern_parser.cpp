#include "engine/rules/pattern_parser.h"

#include <charconv>
#include <map>

#include "engine/frontends/relax/operators.h"
#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

constexpr std::string_view kReserved[] = {"constant", "var", "tuple", "if", "let", "fn", "True", "False", "_"};

}  // namespace

Result<std::shared_ptr<const Pattern>> PatternParser::parse() {
    uint32_t root = 0;
    if (!parse_definitions() || !parse_alternative(root)) return failure_;
    skip_space();
    if (at_ < text_.size()) {
        fail_here("expected '|', '.' or the end");
        return failure_;
    }
    if (nodes_[root].kind == PatternKind::Function)
        return error("a function that is not called can't become a composite", position_in_text(text_, 0));
    for (const auto& [name, node] : names_)
        if (depth_of(node) > kPatternDepth * 2) return error("the pattern is nested too deeply", {1, 1});
    if (depth_of(root) > kPatternDepth * 2) return error("the pattern is nested too deeply", {1, 1});
    number(root);
    return std::shared_ptr<const Pattern>(pattern_);
}

void PatternParser::skip_space() {
    while (at_ < text_.size()) {
        char c = text_[at_];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++at_;
        } else if (text_.substr(at_, 2) == "//") {
            while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        } else {
            return;
        }
    }
}

bool PatternParser::take(std::string_view symbol) {
    skip_space();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
}

std::string_view PatternParser::read_name() {
    skip_space();
    size_t begin = at_;
    if (at_ >= text_.size() || !is_letter(text_[at_])) return {};
    for (;;) {
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '/')) ++at_;
        if (at_ + 1 >= text_.size() || text_[at_] != '.' || !is_letter(text_[at_ + 1])) break;
        size_t end = at_ + 1;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
        if (is_suffix(text_.substr(at_ + 1, end - at_ - 1))) break;
        at_ = end;
    }
    return text_.substr(begin, at_ - begin);
}

uint32_t PatternParser::add(PatternNode node, size_t begin) {
    node.begin = uint32_t(begin);
    node.end = uint32_t(at_);
    int depth = 1;
    for (uint32_t child : node.children) depth = std::max(depth, depths_[child] + 1);
    depths_.push_back(depth);
    nodes_.push_back(std::move(node));
    return uint32_t(nodes_.size() - 1);
}

uint32_t PatternParser::add(PatternKind kind, size_t begin, std::vector<uint32_t> children) {
    PatternNode node;
    node.kind = kind;
    node.children = std::move(children);
    return add(std::move(node), begin);
}

bool PatternParser::parse_definitions() {
    for (;;) {
        skip_space();
        size_t begin = at_;
        std::string_view name = read_name();
        if (name.empty() || peek() != '=' || text_.substr(at_, 2) == "==") {
            at_ = begin;
            return true;
        }
        uint32_t node = 0;
        if (!check_new_name(name, begin) || !take("=") || !parse_alternative(node) || !expect(";")) return false;
        names_.emplace_back(name, node);
    }
}

bool PatternParser::check_new_name(std::string_view name, size_t begin) {
    if (name.find('.') != std::string_view::npos) return fail_at(begin, "a name can't hold a '.'");
    if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved))
        return fail_at(begin, "'" + std::string(name) + "' is a reserved word");
    for (const RuleWord& word : rule_names())
        if (word.word == name) return fail_at(begin, "'" + std::string(name) + "' is a reserved word of checks");
    if (find_name(name)) return fail_at(begin, "'" + std::string(name) + "' is defined already");
    if (op_registry().find(name).valid()) return fail_at(begin, "'" + std::string(name) + "' is an operator");
    return true;
}

bool PatternParser::parse_alternative(uint32_t& result) {
    if (++depth_ > kPatternDepth) return fail_at(at_, "the pattern is nested too deeply");
    size_t begin = (skip_space(), at_);
    if (!parse_postfix(result)) return false;
    while (take("|")) {
        uint32_t right = 0;
        if (!parse_postfix(right)) return false;
        result = add(PatternKind::Alternative, begin, {result, right});
    }
    --depth_;
    return true;
}

bool PatternParser::parse_postfix(uint32_t& result) {
    size_t begin = (skip_space(), at_);
    std::string_view name = read_name();
    bool named = !name.empty() && peek() == ':';
    if (named) {
        if (!check_new_name(name, begin) || !take(":")) return false;
        begin = (skip_space(), at_);
    } else {
        at_ = begin;
    }
    if (!parse_primary(result)) return false;
    for (;;) {
        if (nodes_.size() > kPatternNodes) return fail_at(at_, "the pattern is too large");
        if (peek() == '(') {
            if (!parse_call(begin, result)) return false;
        } else if (peek() == '.') {
            if (!parse_suffix(begin, result)) return false;
        } else {
            break;
        }
    }
    if (named) names_.emplace_back(name, result);
    return true;
}

bool PatternParser::parse_list(std::vector<uint32_t>& list, bool& any) {
    any = take("...");
    if (any) return expect(")");
    while (!take(")")) {
        uint32_t item = 0;
        if (!parse_alternative(item)) return false;
        list.push_back(item);
        if (!take(",") && peek() != ')') return fail_here("expected ',' or ')'");
    }
    return true;
}

bool PatternParser::parse_call(size_t begin, uint32_t& result) {
    PatternNode call;
    call.kind = PatternKind::Call;
    call.children = {result};
    size_t open = at_;
    take("(");
    if (!parse_list(call.children, call.any_operands)) return false;
    const PatternNode& callee = nodes_[result];
    if (callee.kind == PatternKind::Op && !call.any_operands) {
        const OpRecord& op = op_registry()[callee.op];
        size_t given = call.children.size() - 1, wanted = op.inputs.size();
        const bool fits = op.variadic ? given + (wanted > 1) >= wanted
                                      : given >= wanted && given <= wanted + relax::arguments_behind(op.name);
        if (!fits)
            return fail_at(open, op.name + " takes " + std::to_string(wanted) +
                                     (wanted == 1 ? " argument" : " arguments") + ", found " + std::to_string(given) +
                                     "; '...' stands for any");
    }
    // An operator that only Relax has is an opaque one by its name.
    const std::string relax = callee.kind == PatternKind::Op && op_registry()[callee.op].foreign ? callee.text : "";
    result = add(std::move(call), begin);
    if (relax.empty()) return true;
    const uint32_t inner = result;
    result = add(PatternKind::Attributes, begin, {inner});
    nodes_[result].attributes.emplace_back("op_type", relax);
    return true;
}

bool PatternParser::parse_primary(uint32_t& result) {
    size_t begin = (skip_space(), at_);
    char c = peek();
    if (take("*")) {
        result = add(PatternKind::Wildcard, begin);
        return true;
    }
    if (c == '(') return parse_parentheses(begin, result);
    if (c == '@') {
        take("@");
        std::string_view name = read_name();
        if (name.empty()) return fail_here("expected a function's name");
        result = add(PatternKind::GlobalVar, begin);
        nodes_[result].text = name;
        return true;
    }
    if (is_digit(c) || c == '-') return parse_scalar(begin, result);
    std::string_view name = read_name();
    if (name.empty()) return fail_here("expected a pattern");
    return parse_word(name, begin, result);
}

bool PatternParser::parse_parentheses(size_t begin, uint32_t& result) {
    take("(");
    if (take(")")) {
        result = add(PatternKind::Tuple, begin);
        return true;
    }
    if (!parse_alternative(result)) return false;
    if (take(")")) return true;
    std::vector<uint32_t> fields{result};
    while (take(",")) {
        if (peek() == ')') break;
        uint32_t field = 0;
        if (!parse_alternative(field)) return false;
        fields.push_back(field);
    }
    if (!expect(")")) return false;
    result = add(PatternKind::Tuple, begin, std::move(fields));
    return true;
}

bool PatternParser::parse_scalar(size_t begin, uint32_t& result) {
    AttributeValue value;
    if (!parse_number(value)) return false;
    PatternNode node;
    node.kind = PatternKind::Scalar;
    if (const double* real = value.as_double()) {
        DataType dtype = suffix_ == "f64" ? kFloat64 : suffix_ == "f16" ? kFloat16 : kFloat32;
        node.scalar = Tensor(dtype, {});
        node.scalar.set(0, *real);
    } else {
        DataType dtype = suffix_ == "i64" ? kInt64 : suffix_ == "i16" ? kInt16 : suffix_ == "i8" ? kInt8 : kInt32;
        node.scalar = Tensor(dtype, {});
        node.scalar.set(0, double(value.as_integer()->value));
    }
    result = add(std::move(node), begin);
    return true;
}

bool PatternParser::parse_word(std::string_view name, size_t begin, uint32_t& result) {
    if (name == "_") {
        if (placeholders_.empty()) return fail_at(begin, "'_' is allowed only inside optional()");
        used_placeholder_.back() = true;
        result = placeholders_.back();
        return true;
    }
    if (name == "constant") {
        result = add(PatternKind::Constant, begin);
        return true;
    }
    if (name == "var") return parse_var(begin, result);
    if (name == "tuple") return parse_tuple(begin, result);
    if (name == "if") return parse_three(PatternKind::If, begin, result);
    if (name == "let") return parse_three(PatternKind::Let, begin, result);
    if (name == "fn") return parse_function(begin, result);
    if (name == "True" || name == "False") {
        PatternNode node;
        node.kind = PatternKind::Scalar;
        node.scalar = Tensor(kBool, {});
        node.scalar.set(0, name == "True");
        result = add(std::move(node), begin);
        return true;
    }
    if (const uint32_t* known = find_name(name)) {
        result = *known;
        return true;
    }
    OpId op = op_registry().find(name);
    const bool is_relax = !op.valid() && relax::is_operator(name);
    const std::string relax_name = (name.starts_with("relax.") ? "" : "relax.") + std::string(name);
    if (is_relax) {
        const std::string_view engine = relax::pattern_op(name);
        op = engine == "opaque" ? op_registry().foreign(relax_name) : op_registry().find(engine);
    } else if (!op.valid() && peek() == '(') {
        op = op_named(name);  // a word that is not called is a name that nobody gave
    }
    if (!op.valid()) return fail_unknown(name, begin);
    result = add(PatternKind::Op, begin);
    nodes_[result].op = op;
    if (is_relax) nodes_[result].text = relax_name;
    return true;
}

bool PatternParser::fail_unknown(std::string_view name, size_t begin) {
    std::vector<std::string_view> known;
    for (const OpRecord& op : op_registry().records()) known.push_back(op.name);
    for (const auto& [word, _] : names_) known.push_back(word);
    known.insert(known.end(), std::begin(kReserved), std::end(kReserved));
    std::string_view near = nearest_spelling(name, known);
    return fail_at(begin, "there is no operator or name '" + std::string(name) + "'" +
                              (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"));
}

bool PatternParser::parse_var(size_t begin, uint32_t& result) {
    std::string name;
    if (take("(") && (!parse_string(name) || !expect(")"))) return false;
    result = add(PatternKind::Var, begin);
    nodes_[result].text = name;
    return true;
}

bool PatternParser::parse_tuple(size_t begin, uint32_t& result) {
    PatternNode node;
    node.kind = PatternKind::Tuple;
    if (!expect("(") || !parse_list(node.children, node.any_operands)) return false;
    result = add(std::move(node), begin);
    return true;
}

bool PatternParser::parse_three(PatternKind kind, size_t begin, uint32_t& result) {
    std::vector<uint32_t> parts;
    bool any = false;
    if (!expect("(") || !parse_list(parts, any)) return false;
    if (any || parts.size() != 3)
        return fail_at(
            begin, kind == PatternKind::If ? "expected if(condition, then, else)" : "expected let(var, value, body)");
    result = add(kind, begin, std::move(parts));
    return true;
}

bool PatternParser::parse_function(size_t begin, uint32_t& result) {
    PatternNode node;
    node.kind = PatternKind::Function;
    uint32_t body = 0;
    if (!expect("(") || !parse_list(node.children, node.any_operands)) return false;
    if (!expect("{") || !parse_alternative(body) || !expect("}")) return false;
    node.children.push_back(body);
    result = add(std::move(node), begin);
    return true;
}

}  // namespace partita
