// Part of the pattern parser: the suffixes after a pattern and a dot: projections, constraints, options, dominators.
#include <charconv>

#include "engine/ops/registry.h"
#include "engine/rules/pattern_parser.h"
#include "engine/support/spelling.h"

namespace partita {

bool PatternParser::parse_suffix(size_t begin, uint32_t& result) {
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
    std::string_view near = nearest_spelling(word, kPatternSuffixes);
    return fail_at(word_begin, "expected an index or has_attr, has_dtype, has_shape, has_type, optional, dominates" +
                                   (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"));
}

bool PatternParser::parse_has_attr(size_t begin, uint32_t& result) {
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

bool PatternParser::check_attribute(uint32_t node, std::string_view key, size_t key_begin) {
    const PatternNode& target = nodes_[node];
    if (target.kind == PatternKind::Attributes && !target.attributes.empty() && target.attributes[0].first == "op_type")
        return true;
    if (target.kind != PatternKind::Call || nodes_[target.children[0]].kind != PatternKind::Op) return true;
    const OpRecord& op = op_registry()[nodes_[target.children[0]].op];
    if (op.attribute_index(key) >= 0) return true;
    std::vector<std::string_view> known;
    for (const AttributeField& field : op.attributes) known.push_back(field.name);
    std::string_view near = nearest_spelling(key, known);
    return fail_at(key_begin, op.name + " has no attribute '" + std::string(key) + "'" +
                                  (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?"));
}

bool PatternParser::parse_value(AttributeValue& value, int depth) {
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

bool PatternParser::parse_number(AttributeValue& value) {
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

bool PatternParser::parse_string(std::string& text) {
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

bool PatternParser::parse_has_dtype(size_t begin, uint32_t& result) {
    std::string text;
    if (!expect("(")) return false;
    skip_space();
    size_t text_begin = at_;
    if (!parse_string(text)) return false;
    auto dtype = DataType::parse(text);
    if (!dtype || dtype->is_void())
        return fail_at(text_begin, "there is no dtype '" + text + "'" + dtype_suggestion(text));
    if (!expect(")")) return false;
    result = add(PatternKind::DType, begin, {result});
    nodes_[result].dtype = *dtype;
    return true;
}

bool PatternParser::parse_dims(std::vector<int64_t>& shape) {
    while (!take(")")) {
        int64_t dim = kDynamicDim;
        if (!take("?")) {
            auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), dim);
            if (fault != std::errc() || dim < 0) return fail_here("expected a dimension or '?'");
            at_ = size_t(end - text_.data());
        }
        shape.push_back(dim);
        if (!take(",") && peek() != ')') return fail_here("expected ',' or ')'");
    }
    return true;
}

bool PatternParser::parse_has_shape(size_t begin, uint32_t& result) {
    std::vector<int64_t> shape;
    if (!expect("(") || !parse_dims(shape)) return false;
    result = add(PatternKind::Shape, begin, {result});
    nodes_[result].shape = std::move(shape);
    return true;
}

bool PatternParser::parse_has_type(size_t begin, uint32_t& result) {
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

bool PatternParser::canonical_type(std::string_view text, std::string& canonical) {
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

bool PatternParser::parse_optional(size_t begin, uint32_t& result) {
    if (!expect("(")) return false;
    uint32_t option = 0;
    placeholders_.push_back(result);
    used_placeholder_.push_back(false);
    bool good = parse_alternative(option);
    bool used = used_placeholder_.back();
    placeholders_.pop_back();
    used_placeholder_.pop_back();
    if (!good) return false;
    if (!used) return fail_here("expected '_' inside optional() for the pattern before it");
    if (!expect(")")) return false;
    result = add(PatternKind::Alternative, begin, {option, result});
    return true;
}

bool PatternParser::parse_dominates(size_t begin, uint32_t& result) {
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

}  // namespace partita
