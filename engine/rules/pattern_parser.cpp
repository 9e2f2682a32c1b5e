#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "engine/ops/registry.h"
#include "engine/rules/pattern.h"
#include "engine/rules/rule_program.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

constexpr size_t kPatternTextBytes = 65536;
constexpr int kPatternDepth = 100;
constexpr size_t kPatternNodes = 4096;

constexpr RuleWord kWords[] = {
    {"*", "anything"},
    {"constant", "any constant"},
    {"var", "any variable; var(\"x\"): of that name"},
    {"tuple", "tuple(...): any tuple; (p, q): of these fields"},
    {"if", "if(condition, then, else)"},
    {"let", "let(var, value, body)"},
    {"fn", "fn(p, q) { body }, fn(...) { body }"},
    {"has_attr", "p.has_attr(groups=1)"},
    {"has_dtype", "p.has_dtype(\"float32\")"},
    {"has_shape", "p.has_shape(1, 3, ?)"},
    {"has_type", "p.has_type(\"Tensor[(1, 3), float32]\")"},
    {"optional", "p.optional(nn.relu(_)): with or without it"},
    {"dominates", "parent.dominates(child, path)"},
};
constexpr std::string_view kSuffixes[] = {"has_attr", "has_dtype", "has_shape", "has_type", "optional", "dominates"};
constexpr std::string_view kReserved[] = {"constant", "var", "tuple", "if", "let", "fn", "True", "False", "_"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_suffix(std::string_view word) {
    return std::find(std::begin(kSuffixes), std::end(kSuffixes), word) != std::end(kSuffixes);
}

}  // namespace

/// Recursive descent over the characters; the depth of recursion is bounded by kPatternDepth.
class PatternParser {
public:
    explicit PatternParser(std::string_view text) : text_(text), pattern_(std::make_shared<Pattern>()) {
        pattern_->text_ = text;
    }

    Result<std::shared_ptr<const Pattern>> parse() {
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

private:
    bool fail_at(size_t offset, const std::string& message) {
        failure_ = error(message, position_in_text(text_, offset));
        return false;
    }
    bool fail_here(const std::string& message) {
        skip_space();
        std::string found = at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : "the end";
        return fail_at(at_, message + ", found " + found);
    }

    void skip_space() {
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
    char peek() {
        skip_space();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(std::string_view symbol) {
        skip_space();
        if (text_.substr(at_, symbol.size()) != symbol) return false;
        at_ += symbol.size();
        return true;
    }
    bool expect(std::string_view symbol) { return take(symbol) || fail_here("expected '" + std::string(symbol) + "'"); }

    /// A dotted name; `.has_attr` and the like are left for the suffixes, `.0` and `.*` too.
    std::string_view read_name() {
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

    uint32_t add(PatternNode node, size_t begin) {
        node.begin = uint32_t(begin);
        node.end = uint32_t(at_);
        int depth = 1;
        for (uint32_t child : node.children) depth = std::max(depth, depths_[child] + 1);
        depths_.push_back(depth);
        nodes_.push_back(std::move(node));
        return uint32_t(nodes_.size() - 1);
    }
    uint32_t add(PatternKind kind, size_t begin, std::vector<uint32_t> children = {}) {
        PatternNode node;
        node.kind = kind;
        node.children = std::move(children);
        return add(std::move(node), begin);
    }
    int depth_of(uint32_t node) const { return depths_[node]; }

    bool parse_definitions() {
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

    bool check_new_name(std::string_view name, size_t begin) {
        if (name.find('.') != std::string_view::npos) return fail_at(begin, "a name can't hold a '.'");
        if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved))
            return fail_at(begin, "'" + std::string(name) + "' has a meaning of its own");
        for (const RuleWord& word : rule_names())
            if (word.word == name)
                return fail_at(begin, "'" + std::string(name) + "' has a meaning of its own in checks");
        if (find_name(name)) return fail_at(begin, "'" + std::string(name) + "' is defined already");
        if (op_registry().find(name).valid()) return fail_at(begin, "'" + std::string(name) + "' is an operator");
        return true;
    }
    const uint32_t* find_name(std::string_view name) const {
        for (const auto& [known, node] : names_)
            if (known == name) return &node;
        return nullptr;
    }

    bool parse_alternative(uint32_t& result) {
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

    bool parse_postfix(uint32_t& result) {
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

    /// After '(': patterns up to ')'; `any` for '...'.
    bool parse_list(std::vector<uint32_t>& list, bool& any) {
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

    bool parse_call(size_t begin, uint32_t& result) {
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
            if (op.variadic ? given < wanted : given != wanted)
                return fail_at(open, op.name + " takes " + std::to_string(wanted) +
                                         (wanted == 1 ? " argument" : " arguments") + ", found " +
                                         std::to_string(given) + "; '...' stands for any");
        }
        result = add(std::move(call), begin);
        return true;
    }

    bool parse_suffix(size_t begin, uint32_t& result) {
        take(".");
        if (take("*")) {
            result = add(PatternKind::Projection, begin, {result});
            return true;
        }
        if (is_digit(peek())) {
            int32_t index = 0;
            auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), index);
            if (fault != std::errc()) return fail_at(at_, "the index is too large");
            at_ = size_t(end - text_.data());
            result = add(PatternKind::Projection, begin, {result});
            nodes_[result].index = index;
            return true;
        }
        size_t word_begin = at_;
        std::string_view word = read_name();
        if (word == "has_attr") return parse_has_attr(begin, result);
        if (word == "has_dtype") return parse_has_dtype(begin, result);
        if (word == "has_shape") return parse_has_shape(begin, result);
        if (word == "has_type") return parse_has_type(begin, result);
        if (word == "optional") return parse_optional(begin, result);
        if (word == "dominates") return parse_dominates(begin, result);
        std::string_view near = nearest_spelling(word, kSuffixes);
        return fail_at(word_begin,
                       "expected an index or has_attr, has_dtype, has_shape, has_type, optional, dominates" +
                           (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"));
    }

    bool parse_has_attr(size_t begin, uint32_t& result) {
        PatternNode node;
        node.kind = PatternKind::Attributes;
        node.children = {result};
        if (!expect("(")) return false;
        while (!take(")")) {
            skip_space();
            size_t key_begin = at_;
            std::string_view key = read_name();
            AttributeValue value;
            if (key.empty()) return fail_here("expected an attribute's name");
            if (!check_attribute(result, key, key_begin)) return false;
            if (!expect("=") || !parse_value(value, 0)) return false;
            node.attributes.emplace_back(key, std::move(value));
            if (!take(",") && peek() != ')') return fail_here("expected ',' or ')'");
        }
        result = add(std::move(node), begin);
        return true;
    }

    bool check_attribute(uint32_t node, std::string_view key, size_t key_begin) {
        const PatternNode& target = nodes_[node];
        if (target.kind != PatternKind::Call || nodes_[target.children[0]].kind != PatternKind::Op) return true;
        const OpRecord& op = op_registry()[nodes_[target.children[0]].op];
        if (op.attribute_index(key) >= 0) return true;
        std::vector<std::string_view> known;
        for (const AttributeField& field : op.attributes) known.push_back(field.name);
        std::string_view near = nearest_spelling(key, known);
        return fail_at(key_begin, op.name + " has no attribute '" + std::string(key) + "'" +
                                      (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"));
    }

    bool parse_value(AttributeValue& value, int depth) {
        if (depth > 8) return fail_here("the value is nested too deeply");
        char c = peek();
        if (c == '"' || c == '\'') {
            std::string text;
            if (!parse_string(text)) return false;
            value = AttributeValue(text);
            return true;
        }
        if (take("[")) {
            AttributeValue::List list;
            while (!take("]")) {
                list.emplace_back();
                if (!parse_value(list.back(), depth + 1)) return false;
                if (!take(",") && peek() != ']') return fail_here("expected ',' or ']'");
            }
            value = AttributeValue(std::move(list));
            return true;
        }
        if (is_digit(c) || c == '-' || c == '.') return parse_number(value);
        size_t begin = at_;
        std::string_view word = read_name();
        if (word == "True") value = AttributeValue(true);
        else if (word == "False") value = AttributeValue(false);
        else if (word == "None") value = AttributeValue();
        else return fail_at(begin, "expected a number, a string, a list, True, False or None");
        return true;
    }

    bool parse_number(AttributeValue& value) {
        skip_space();
        size_t begin = at_, digits_begin = at_;
        bool real = false;
        if (text_[at_] == '-') ++at_;
        while (at_ < text_.size() &&
               (is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E' ||
                ((text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')))) {
            real |= !is_digit(text_[at_]);
            ++at_;
        }
        std::string_view digits = text_.substr(digits_begin, at_ - digits_begin);
        std::string_view suffix;
        size_t suffix_begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        suffix = text_.substr(suffix_begin, at_ - suffix_begin);
        suffix_ = suffix;
        real |= suffix.starts_with("f");
        const char* end = digits.data() + digits.size();
        if (real) {
            double number = 0;
            auto [stop, fault] = std::from_chars(digits.data(), end, number);
            if (fault != std::errc() || stop != end) return fail_at(begin, "this is no number");
            value = AttributeValue(number);
            return true;
        }
        int64_t number = 0;
        auto [stop, fault] = std::from_chars(digits.data(), end, number);
        if (fault != std::errc() || stop != end) return fail_at(begin, "this is no number");
        value = AttributeValue(Integer{number, uint8_t(suffix == "i64" ? 64 : 32)});
        return true;
    }

    bool parse_string(std::string& text) {
        skip_space();
        size_t begin = at_;
        char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '"' && quote != '\'') return fail_here("expected a string");
        size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return fail_at(begin, "the string has no end");
        text = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return true;
    }

    bool parse_has_dtype(size_t begin, uint32_t& result) {
        std::string text;
        if (!expect("(")) return false;
        skip_space();
        size_t text_begin = at_;
        if (!parse_string(text)) return false;
        auto dtype = DataType::parse(text);
        if (!dtype || dtype->is_void()) return fail_at(text_begin, "there is no dtype '" + text + "'");
        if (!expect(")")) return false;
        result = add(PatternKind::DType, begin, {result});
        nodes_[result].dtype = *dtype;
        return true;
    }

    bool parse_dims(std::vector<int64_t>& shape) {
        while (!take(")")) {
            int64_t dim = kDynamicDim;
            if (!take("?")) {
                skip_space();
                auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), dim);
                if (fault != std::errc() || dim < 0) return fail_here("expected a dimension or '?'");
                at_ = size_t(end - text_.data());
            }
            shape.push_back(dim);
            if (!take(",") && peek() != ')') return fail_here("expected ',' or ')'");
        }
        return true;
    }

    bool parse_has_shape(size_t begin, uint32_t& result) {
        std::vector<int64_t> shape;
        if (!expect("(") || !parse_dims(shape)) return false;
        result = add(PatternKind::Shape, begin, {result});
        nodes_[result].shape = std::move(shape);
        return true;
    }

    bool parse_has_type(size_t begin, uint32_t& result) {
        std::string text, canonical;
        if (!expect("(")) return false;
        skip_space();
        size_t text_begin = at_;
        if (!parse_string(text) || !expect(")")) return false;
        if (!canonical_type(text, canonical)) return fail_at(text_begin, "'" + text + "' is no type");
        result = add(PatternKind::Type, begin, {result});
        nodes_[result].text = canonical;
        return true;
    }

    /// As TypeTable::to_string prints it, with its spaces: after commas and nowhere else.
    static bool canonical_type(std::string_view text, std::string& canonical) {
        int round = 0, square = 0;
        for (char c : text) {
            if (c == ' ' || c == '\t') continue;
            round += c == '(' ? 1 : c == ')' ? -1 : 0;
            square += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (round < 0 || square < 0 || round + square > 32) return false;
            canonical += c;
            if (c == ',') canonical += ' ';
        }
        if (canonical.ends_with(", ")) return false;
        for (size_t at = 0; (at = canonical.find(", )", at)) != std::string::npos;) canonical.replace(at, 3, ",)");
        return round == 0 && square == 0 && !canonical.empty();
    }

    bool parse_optional(size_t begin, uint32_t& result) {
        if (!expect("(")) return false;
        uint32_t option = 0;
        placeholders_.push_back(result);
        used_placeholder_.push_back(false);
        bool good = parse_alternative(option);
        bool used = used_placeholder_.back();
        placeholders_.pop_back();
        used_placeholder_.pop_back();
        if (!good) return false;
        if (!used) return fail_here("expected '_' inside optional(): what the option is put on");
        if (!expect(")")) return false;
        result = add(PatternKind::Alternative, begin, {option, result});
        return true;
    }

    bool parse_dominates(size_t begin, uint32_t& result) {
        if (!expect("(")) return false;
        uint32_t child = 0, path = 0;
        if (!parse_alternative(child)) return false;
        if (take(",")) {
            if (!parse_alternative(path)) return false;
        } else {
            path = add(PatternKind::Wildcard, at_);
        }
        if (!expect(")")) return false;
        result = add(PatternKind::Dominator, begin, {result, path, child});
        return true;
    }

    bool parse_primary(uint32_t& result) {
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

    bool parse_parentheses(size_t begin, uint32_t& result) {
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

    bool parse_scalar(size_t begin, uint32_t& result) {
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

    bool parse_word(std::string_view name, size_t begin, uint32_t& result) {
        if (name == "_") {
            if (placeholders_.empty()) return fail_at(begin, "'_' stands inside optional() only");
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
        if (!op.valid()) return fail_unknown(name, begin);
        result = add(PatternKind::Op, begin);
        nodes_[result].op = op;
        return true;
    }

    bool fail_unknown(std::string_view name, size_t begin) {
        std::vector<std::string_view> known;
        for (const OpRecord& op : op_registry().records()) known.push_back(op.name);
        for (const auto& [word, _] : names_) known.push_back(word);
        known.insert(known.end(), std::begin(kReserved), std::end(kReserved));
        std::string_view near = nearest_spelling(name, known);
        return fail_at(begin, "there is no operator or name '" + std::string(name) + "'" +
                                  (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"));
    }

    bool parse_var(size_t begin, uint32_t& result) {
        std::string name;
        if (take("(") && (!parse_string(name) || !expect(")"))) return false;
        result = add(PatternKind::Var, begin);
        nodes_[result].text = name;
        return true;
    }

    bool parse_tuple(size_t begin, uint32_t& result) {
        PatternNode node;
        node.kind = PatternKind::Tuple;
        if (!expect("(") || !parse_list(node.children, node.any_operands)) return false;
        result = add(std::move(node), begin);
        return true;
    }

    bool parse_three(PatternKind kind, size_t begin, uint32_t& result) {
        std::vector<uint32_t> parts;
        bool any = false;
        if (!expect("(") || !parse_list(parts, any)) return false;
        if (any || parts.size() != 3)
            return fail_at(begin, kind == PatternKind::If ? "expected if(condition, then, else)"
                                                          : "expected let(var, value, body)");
        result = add(kind, begin, std::move(parts));
        return true;
    }

    bool parse_function(size_t begin, uint32_t& result) {
        PatternNode node;
        node.kind = PatternKind::Function;
        uint32_t body = 0;
        if (!expect("(") || !parse_list(node.children, node.any_operands)) return false;
        if (!expect("{") || !parse_alternative(body) || !expect("}")) return false;
        node.children.push_back(body);
        result = add(std::move(node), begin);
        return true;
    }

    /// Numbers the nodes that the root reaches in TVM's order. Names of unreached nodes are dropped.
    void number(uint32_t root) {
        constexpr uint32_t kNone = ~0u;
        std::vector<uint32_t> numbers(nodes_.size(), kNone);
        std::function<void(uint32_t)> visit = [&](uint32_t id) {  // depth was checked
            if (numbers[id] != kNone) return;
            for (uint32_t child : nodes_[id].children) visit(child);
            numbers[id] = uint32_t(pattern_->nodes_.size());
            pattern_->nodes_.push_back(nodes_[id]);
        };
        visit(root);
        for (PatternNode& node : pattern_->nodes_) {
            for (uint32_t& child : node.children) child = numbers[child];
            pattern_->has_dominator_ |= node.kind == PatternKind::Dominator;
        }
        for (const auto& [name, node] : names_) {
            if (numbers[node] == kNone) continue;
            pattern_->named_nodes_.push_back(numbers[node]);
            pattern_->names_.push_back({std::string(name), op_of(numbers[node])});
        }
        pattern_->find_roots(pattern_->root());
        std::sort(pattern_->root_ops_.begin(), pattern_->root_ops_.end());
        auto last = std::unique(pattern_->root_ops_.begin(), pattern_->root_ops_.end());
        pattern_->root_ops_.erase(last, pattern_->root_ops_.end());
    }

    const OpRecord* op_of(uint32_t id) const {
        const PatternNode* node = &pattern_->nodes_[id];
        while (node->kind == PatternKind::Attributes || node->kind == PatternKind::DType ||
               node->kind == PatternKind::Shape || node->kind == PatternKind::Type)
            node = &pattern_->nodes_[node->children[0]];
        if (node->kind != PatternKind::Call) return nullptr;
        const PatternNode& callee = pattern_->nodes_[node->children[0]];
        return callee.kind == PatternKind::Op ? &op_registry()[callee.op] : nullptr;
    }

    std::string_view text_;
    size_t at_ = 0;
    std::shared_ptr<Pattern> pattern_;
    std::vector<PatternNode> nodes_;
    std::vector<int> depths_;
    std::vector<std::pair<std::string_view, uint32_t>> names_;
    std::vector<uint32_t> placeholders_;
    std::vector<bool> used_placeholder_;
    std::string_view suffix_;
    int depth_ = 0;
    Diagnostic failure_;
};

// The recursion is as deep as the pattern.
void Pattern::find_roots(uint32_t id) {
    const PatternNode& node = nodes_[id];
    switch (node.kind) {
        case PatternKind::Call: {
            const PatternNode& callee = nodes_[node.children[0]];
            if (callee.kind != PatternKind::Op) break;
            root_ops_.push_back(callee.op);
            // The matcher re-associates products and quotients, so the root may be the other one.
            const OpRegistry& ops = op_registry();
            OpId multiply = ops.find("multiply"), divide = ops.find("divide");
            if (callee.op == multiply) root_ops_.push_back(divide);
            if (callee.op == divide) root_ops_.push_back(multiply);
            return;
        }
        case PatternKind::Alternative:
            find_roots(node.children[0]);
            find_roots(node.children[1]);
            return;
        case PatternKind::Attributes:
        case PatternKind::DType:
        case PatternKind::Shape:
        case PatternKind::Type: find_roots(node.children[0]); return;
        case PatternKind::Dominator: find_roots(node.children[2]); return;
        default: break;
    }
    any_root_ = true;
}

const OpRecord* Pattern::root_op() const {
    if (any_root_) return nullptr;
    const PatternNode* node = &nodes_.back();
    while (node->kind != PatternKind::Call) {
        if (node->kind == PatternKind::Alternative)
            return root_ops_.size() == 1 ? &op_registry()[root_ops_[0]] : nullptr;
        node = &nodes_[node->kind == PatternKind::Dominator ? node->children[2] : node->children[0]];
    }
    return root_ops_.size() == 1 ? &op_registry()[root_ops_[0]] : nullptr;
}

Result<std::shared_ptr<const Pattern>> Pattern::parse(std::string_view text) {
    if (text.size() > kPatternTextBytes)
        return error("the pattern is longer than " + std::to_string(kPatternTextBytes) + " bytes");
    return PatternParser(text).parse();
}

std::span<const RuleWord> pattern_words() { return kWords; }

}  // namespace partita
