#include "engine/rules/python_writers.h"

#include <cctype>

#include <nlohmann/json.hpp>

#include "engine/ops/registry.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

std::string variable(uint32_t slot) { return "v" + std::to_string(slot); }

std::string value_text(const AttributeValue& value) {
    if (value.is_none()) return "None";
    if (const bool* flag = value.as_bool()) return *flag ? "True" : "False";
    if (const std::string* text = value.as_string()) return python_text(*text);
    const AttributeValue::List* list = value.as_list();
    if (!list) return value.to_string();
    std::string text;
    for (const AttributeValue& item : *list) text += (text.empty() ? "" : ", ") + value_text(item);
    return "[" + text + "]";
}

}  // namespace

std::string python_text(std::string_view text) {
    return json_text(nlohmann::json(std::string(text)), -1, JsonLetters::Ascii);
}

std::string python_identifier(std::string_view name) {
    std::string text;
    for (char c : name) text += isalnum(uint8_t(c)) ? c : '_';
    return text;
}

Result<std::string> PythonRuleWriter::write() {
    std::string text = expression(program_.root);
    if (lacks_.empty()) return text;
    return error("Python's form has no words for " + lacks_);
}

std::string PythonRuleWriter::lack(const RuleNode& at) {
    if (lacks_.empty()) lacks_ = "'" + std::string(program_.source(at)) + "'";
    return "None";
}

std::string PythonRuleWriter::joined(const RuleNode& at, const char* between) {
    std::string text;
    for (uint32_t i = 0; i < at.child_count; ++i) text += (i ? between : "") + child(at, i);
    return "(" + text + ")";
}

std::string PythonRuleWriter::constant(const RuleValue& value) {
    switch (value.tag) {
        case RuleValue::Tag::Null: return "None";
        case RuleValue::Tag::Bool: return value.boolean ? "True" : "False";
        case RuleValue::Tag::Int: return std::to_string(value.integer);
        case RuleValue::Tag::Double: return json_text(nlohmann::json(value.real));
        case RuleValue::Tag::String: return python_text(value.text());
        default: break;
    }
    std::string text;
    for (uint32_t i = 0; i < value.count; ++i) text += (i ? ", " : "") + constant(RuleEvaluator::element_of(value, i));
    return "[" + text + "]";
}

std::string PythonRuleWriter::loop(const RuleNode& at, const char* function) {
    return std::string(function) + "(" + child(at, 1) + " for " + variable(at.slot) + " in " + child(at, 0) + ")";
}

std::string PythonRuleWriter::relation(const RuleNode& at) {
    switch (at.op) {
        case RuleOp::Equal: return joined(at, " == ");
        case RuleOp::NotEqual: return joined(at, " != ");
        case RuleOp::Less: return joined(at, " < ");
        case RuleOp::LessEqual: return joined(at, " <= ");
        case RuleOp::Greater: return joined(at, " > ");
        case RuleOp::GreaterEqual: return joined(at, " >= ");
        case RuleOp::In: return joined(at, " in ");
        case RuleOp::Add: return joined(at, " + ");
        case RuleOp::Subtract: return joined(at, " - ");
        case RuleOp::Multiply: return joined(at, " * ");
        case RuleOp::Divide: return joined(at, at.type.kind == RuleTypeKind::Int ? " // " : " / ");
        case RuleOp::Modulo: return joined(at, " % ");
        default: return aggregate(at);
    }
}

std::string PythonRuleWriter::aggregate(const RuleNode& at) {
    const auto of = [&](const char* function) { return function + ("(" + child(at, 0)) + ")"; };
    switch (at.op) {
        case RuleOp::Size: return of("len");
        case RuleOp::Product: return of("math.prod");
        case RuleOp::Sum: return of("sum");
        case RuleOp::Minimum: return of("min");
        case RuleOp::Maximum: return of("max");
        case RuleOp::ToInt: return of("int");
        case RuleOp::ToDouble: return of("float");
        case RuleOp::ToString: return of("str");
        case RuleOp::StartsWith: return child(at, 0) + ".startswith(" + child(at, 1) + ")";
        case RuleOp::EndsWith: return child(at, 0) + ".endswith(" + child(at, 1) + ")";
        case RuleOp::Contains: return "(" + child(at, 1) + " in " + child(at, 0) + ")";
        default: return lack(at);
    }
}

std::string PythonRuleWriter::expression(uint32_t id) {
    const RuleNode& at = node(id);
    switch (at.op) {
        case RuleOp::Constant: return constant(program_.constants[at.slot]);
        case RuleOp::List: {
            const std::string items = joined(at, ", ");
            return "[" + items.substr(1, items.size() - 2) + "]";
        }
        case RuleOp::Not: return "(not " + child(at, 0) + ")";
        case RuleOp::Negate: return "(-" + child(at, 0) + ")";
        case RuleOp::And: return joined(at, " and ");
        case RuleOp::Or: return joined(at, " or ");
        case RuleOp::Conditional: return "(" + child(at, 1) + " if " + child(at, 0) + " else " + child(at, 2) + ")";
        case RuleOp::Has: return "(" + child(at, 0) + " is not None)";
        case RuleOp::All: return loop(at, "all");
        case RuleOp::Exists: return loop(at, "any");
        case RuleOp::ExistsOne: return "(" + loop(at, "sum") + " == 1)";
        case RuleOp::Subject: return subject();
        case RuleOp::OpName: return op_name(at);
        case RuleOp::Attributes: return owner(at);
        case RuleOp::Arguments: return arguments(at);
        case RuleOp::Bound: return bound_[at.slot].text.empty() ? lack(at) : bound_[at.slot].text;
        case RuleOp::Local: return variable(at.slot);
        case RuleOp::Field: return field(at);
        case RuleOp::OwnAttribute: return own_attribute(at, program_.context.op->attributes[at.slot].name);
        case RuleOp::NamedAttribute: return named_attribute(at);
        case RuleOp::Element: return child(at, 0) + "[" + child(at, 1) + "]";
        default: return relation(at);
    }
}

PythonPatternWriter::PythonPatternWriter(const Pattern& pattern) : pattern_(pattern), uses_(pattern.nodes().size()) {
    for (const PatternNode& node : pattern.nodes())
        for (uint32_t child : node.children) ++uses_[child];
}

Result<std::string> PythonPatternWriter::write(std::string& statements) {
    const std::string text = part(pattern_.root());
    statements = std::move(statements_);
    if (lacks_.empty()) return text;
    return error("Python's form has no words for the pattern '" + lacks_ + "'");
}

const OpRecord* PythonPatternWriter::op_of(const PatternNode& call) const {
    const PatternNode& callee = node(call.children[0]);
    return callee.kind == PatternKind::Op ? &op_registry()[callee.op] : nullptr;
}

std::string PythonPatternWriter::list(const PatternNode& node, size_t from) {
    std::string text;
    for (size_t i = from; i < node.children.size(); ++i) text += (i > from ? ", " : "") + part(node.children[i]);
    return text;
}

std::string PythonPatternWriter::part(uint32_t id) {
    if (uses_[id] < 2 || node(id).kind == PatternKind::Op) return expression(id);
    if (const auto found = variables_.find(id); found != variables_.end()) return found->second;
    const std::string text = expression(id), name = "p" + std::to_string(variables_.size());
    statements_ += "    " + name + " = " + text + "\n";
    return variables_[id] = name;
}

std::string PythonPatternWriter::lack(uint32_t id) {
    if (lacks_.empty()) lacks_ = std::string(pattern_.source(id));
    return "wildcard()";
}

std::string PythonPatternWriter::literal(uint32_t id, const char* function) const {
    std::string text(pattern_.source(id));
    if (text == "True" || text == "False") return std::string(function) + "(" + text + ")";
    size_t end = text.size();
    for (const char* suffix : {"i64", "i16", "f64", "f16", "f"})
        if (text.ends_with(suffix)) {
            end = text.size() - std::string_view(suffix).size();
            break;
        }
    const std::string dtype = node(id).scalar.dtype().to_string();
    return std::string(function) + "(" + text.substr(0, end) + ", " + python_text(dtype) + ")";
}

std::string PythonPatternWriter::attribute_test(const PatternNode& node) {
    std::string text;
    for (const auto& [key, value] : node.attributes)
        text += (text.empty() ? "" : ", ") + python_text(key) + ": " + value_text(value);
    return ".has_attr({" + text + "})";
}

}  // namespace partita
