// Evaluates a checked rule. Recursion is as deep as the rule's tree (at most kRuleHeight), the number of steps bounded.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/rules/rule_program.h"

namespace partita {

namespace {

using Tag = RuleValue::Tag;

double as_double(const RuleValue& value) { return value.is(Tag::Int) ? double(value.integer) : value.real; }

/// Returns -1, 0, 1; 2 if unordered (NaN).
int compare_numbers(const RuleValue& a, const RuleValue& b) {
    if (a.is(Tag::Int) && b.is(Tag::Int)) return a.integer < b.integer ? -1 : a.integer > b.integer;
    double x = as_double(a), y = as_double(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

bool holds(RuleOp op, int order) {
    switch (op) {
        case RuleOp::Less: return order == -1;
        case RuleOp::LessEqual: return order == -1 || order == 0;
        case RuleOp::Greater: return order == 1;
        default: return order == 1 || order == 0;
    }
}

}  // namespace

RuleValue RuleEvaluator::fault(RuleFault reason, uint32_t node) {
    RuleValue value;
    value.tag = Tag::Error;
    value.fault = reason;
    value.count = node;
    return value;
}

RuleValue RuleEvaluator::keep(std::string text) {
    kept_strings_.push_back(std::make_unique<std::string>(std::move(text)));
    return RuleValue::of(std::string_view(*kept_strings_.back()));
}

RuleValue RuleEvaluator::keep(std::vector<RuleValue> list) {
    kept_lists_.push_back(std::make_unique<std::vector<RuleValue>>(std::move(list)));
    return RuleValue::of(std::span<const RuleValue>(*kept_lists_.back()));
}

ModuleFacts& RuleEvaluator::facts() {
    if (subject_.facts) return *subject_.facts;
    if (!own_facts_) own_facts_.emplace(module_);
    return *own_facts_;
}

const RuleTerm* RuleEvaluator::flipped_term(uint32_t node) const {
    for (const RuleTerm& term : flipped_)
        if (term.node == node && term.elements.size() <= open_locals_ &&
            std::equal(term.elements.begin(), term.elements.end(), elements_))
            return &term;
    return nullptr;
}

RuleValue RuleEvaluator::evaluate(uint32_t node) {
    if (++steps_ > kRuleSteps) return fault(RuleFault::TooCostly, node);
    if (flipped_.empty()) [[likely]]
        return compute(node);
    if (const RuleTerm* term = flipped_term(node)) return RuleValue::of(!term->value);
    return compute(node);
}

RuleValue RuleEvaluator::compute(uint32_t index) {
    switch (const RuleNode& node = program_.nodes[index]; node.op) {
        case RuleOp::Constant: return program_.constants[node.slot];
        case RuleOp::Local: return locals_[node.slot];
        case RuleOp::Subject: return RuleValue::of(subject_.call);
        case RuleOp::Bound: return bound(node);
        case RuleOp::And: return evaluate_logic(node, index, false);
        case RuleOp::Or: return evaluate_logic(node, index, true);
        case RuleOp::Not: return evaluate_not(node, index);
        case RuleOp::Conditional: return evaluate_conditional(node, index);
        case RuleOp::Has: return evaluate_has(node);
        case RuleOp::All:
        case RuleOp::Exists:
        case RuleOp::ExistsOne: return evaluate_loop(node, index);
        case RuleOp::Field: return evaluate_field(node, index);
        case RuleOp::OwnAttribute: return own_attribute(node, index);
        case RuleOp::NamedAttribute: return named_attribute(node, index);
        case RuleOp::OpName:
        case RuleOp::Attributes:
        case RuleOp::Arguments:
        case RuleOp::Users: return part_of_call(node);
        case RuleOp::FunctionName: return function_name();
        case RuleOp::FunctionAttribute: return function_attribute(node, index);
        case RuleOp::Element: return evaluate_element(node, index);
        case RuleOp::CallBytes: return evaluate_call_bytes(index);
        case RuleOp::List: return evaluate_list(node);
        case RuleOp::Equal:
        case RuleOp::NotEqual:
        case RuleOp::Less:
        case RuleOp::LessEqual:
        case RuleOp::Greater:
        case RuleOp::GreaterEqual:
        case RuleOp::In: return evaluate_relation(node, index);
        case RuleOp::Negate:
        case RuleOp::Add:
        case RuleOp::Subtract:
        case RuleOp::Multiply:
        case RuleOp::Divide:
        case RuleOp::Modulo: return evaluate_arithmetic(node, index);
        case RuleOp::Size:
        case RuleOp::Product:
        case RuleOp::Sum:
        case RuleOp::Minimum:
        case RuleOp::Maximum: return evaluate_aggregate(node, index);
        case RuleOp::ToInt:
        case RuleOp::ToDouble:
        case RuleOp::ToString: return evaluate_conversion(node, index);
        case RuleOp::StartsWith:
        case RuleOp::EndsWith:
        case RuleOp::Contains: return evaluate_text(node, index);
        case RuleOp::Chain: return evaluate_chain(node, index);
        case RuleOp::Skip: return evaluate_skip(node, index);
        case RuleOp::FunctionScope:
        case RuleOp::Identifier:
        case RuleOp::Select:
        case RuleOp::Index:
        case RuleOp::Call: break;
    }
    return fault(RuleFault::WrongType, index);
}

RuleValue RuleEvaluator::bound(const RuleNode& node) {
    ExprId bound = node.slot < subject_.bound.size() ? subject_.bound[node.slot] : ExprId();
    return bound.valid() ? RuleValue::of(bound) : RuleValue();
}

RuleValue RuleEvaluator::evaluate_not(const RuleNode& node, uint32_t index) {
    RuleValue value = evaluate(program_.child(node, 0));
    if (value.is(Tag::Error)) return value;
    return value.is(Tag::Bool) ? RuleValue::of(!value.boolean) : fault(RuleFault::WrongType, index);
}

RuleValue RuleEvaluator::evaluate_conditional(const RuleNode& node, uint32_t index) {
    RuleValue condition = evaluate(program_.child(node, 0));
    if (condition.is(Tag::Error)) return condition;
    if (!condition.is(Tag::Bool)) return fault(RuleFault::WrongType, index);
    return evaluate(program_.child(node, condition.boolean ? 1 : 2));
}

RuleValue RuleEvaluator::evaluate_has(const RuleNode& node) {
    RuleValue value = evaluate(program_.child(node, 0));
    return RuleValue::of(!value.is(Tag::Error) && !value.is(Tag::Null));
}

RuleValue RuleEvaluator::own_attribute(const RuleNode& node, uint32_t index) {
    if (module_.kind(subject_.call) != ExprKind::Call) return fault(RuleFault::NoAttributes, index);
    AttributesId id = module_.attributes_id(subject_.call);
    if (!id.valid()) return fault(RuleFault::NoAttributes, index);
    // A rule for an operator of the engine is asked about a foreign one of the same name.
    if (called_op_record(module_, subject_.call)->foreign) return attribute_named(subject_.call, node, index);
    if (node.slot >= module_.attributes(id).size()) return fault(RuleFault::NoAttributes, index);
    return from_attribute(module_.attributes(id)[node.slot], node.type.kind == RuleTypeKind::List);
}

/// Returns the name of a call's operator, its attributes, arguments or users.
RuleValue RuleEvaluator::part_of_call(const RuleNode& node) {
    RuleValue failure;
    ExprId expr = subject_of(node, failure);
    if (!expr.valid()) return failure;
    if (node.op == RuleOp::OpName) return op_name(expr);
    if (node.op == RuleOp::Users) return RuleValue::of(facts().users(expr));
    bool call = module_.kind(expr) == ExprKind::Call;
    if (node.op == RuleOp::Arguments) return RuleValue::of(call ? module_.arguments(expr) : std::span<const ExprId>());
    RuleValue value = RuleValue::of(expr);
    value.tag = Tag::Attributes;
    return value;
}

RuleValue RuleEvaluator::function_name() {
    int function = facts().function_of(subject_.call);
    if (function < 0) return RuleValue::of(std::string_view());
    return RuleValue::of(module_.names().text(module_.functions()[size_t(function)].name));
}

/// As in CEL: the absorbing value (false for &&, true for ||) overrides errors, an error overrides the other value.
RuleValue RuleEvaluator::evaluate_logic(const RuleNode& node, uint32_t index, bool absorbing) {
    RuleValue result = RuleValue::of(!absorbing);
    for (uint32_t i = 0; i < node.child_count; ++i) {
        RuleValue value = evaluate(program_.child(node, i));
        if (value.is(Tag::Bool)) {
            if (value.boolean == absorbing) return value;
        } else if (!result.is(Tag::Error)) {
            result = value.is(Tag::Error) ? value : fault(RuleFault::WrongType, index);
        }
    }
    return result;
}

RuleValue RuleEvaluator::evaluate_loop(const RuleNode& node, uint32_t index) {
    RuleValue list = evaluate(program_.child(node, 0));
    if (list.is(Tag::Error)) return list;
    if (!list.is_list()) return fault(RuleFault::WrongType, index);
    RuleValue failure;
    uint32_t found = 0;
    bool failed = false, absorbing = node.op != RuleOp::All;
    ++open_locals_;
    for (uint32_t i = 0; i < list.count; ++i) {
        set_local(node.slot, element_of(list, i), i);
        RuleValue value = evaluate(program_.child(node, 1));
        if (!value.is(Tag::Bool)) {
            if (!failed) failure = value.is(Tag::Error) ? value : fault(RuleFault::WrongType, index);
            failed = true;
        } else if (value.boolean == absorbing) {
            ++found;
            if (node.op != RuleOp::ExistsOne) break;
        }
    }
    --open_locals_;
    if (node.op == RuleOp::ExistsOne) return failed ? failure : RuleValue::of(found == 1);
    if (found) return RuleValue::of(absorbing);
    return failed ? failure : RuleValue::of(!absorbing);
}

RuleValue RuleEvaluator::evaluate_list(const RuleNode& node) {
    std::vector<RuleValue> values;
    for (uint32_t i = 0; i < node.child_count; ++i) {
        values.push_back(evaluate(program_.child(node, i)));
        if (values.back().is(Tag::Error)) return values.back();
    }
    return keep(std::move(values));
}

/// The nesting of the rule's and the attribute's lists bounds the recursion.
bool RuleEvaluator::equal(const RuleValue& a, const RuleValue& b) {
    if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
    if (a.is_list() && b.is_list()) {
        if (a.count != b.count) return false;
        for (uint32_t i = 0; i < a.count; ++i)
            if (!equal(element_of(a, i), element_of(b, i))) return false;
        return true;
    }
    if (a.tag != b.tag) return false;
    switch (a.tag) {
        case Tag::Null: return true;
        case Tag::Bool: return a.boolean == b.boolean;
        case Tag::String: return a.text() == b.text();
        case Tag::Node: return a.expr == b.expr;
        default: return false;
    }
}

RuleValue RuleEvaluator::evaluate_relation(const RuleNode& node, uint32_t index) {
    RuleValue left = evaluate(program_.child(node, 0));
    if (left.is(Tag::Error)) return left;
    RuleValue right = evaluate(program_.child(node, 1));
    if (right.is(Tag::Error)) return right;
    switch (node.op) {
        case RuleOp::Equal: return RuleValue::of(equal(left, right));
        case RuleOp::NotEqual: return RuleValue::of(!equal(left, right));
        case RuleOp::In:
            if (!right.is_list()) return fault(RuleFault::WrongType, index);
            for (uint32_t i = 0; i < right.count; ++i)
                if (equal(left, element_of(right, i))) return RuleValue::of(true);
            return RuleValue::of(false);
        default: break;
    }
    if (left.is_number() && right.is_number()) return RuleValue::of(holds(node.op, compare_numbers(left, right)));
    if (left.is(Tag::String) && right.is(Tag::String)) {
        int order = left.text().compare(right.text());
        return RuleValue::of(holds(node.op, order < 0 ? -1 : order > 0));
    }
    return fault(RuleFault::WrongType, index);
}

RuleValue RuleEvaluator::evaluate_arithmetic(const RuleNode& node, uint32_t index) {
    RuleValue a = evaluate(program_.child(node, 0));
    if (a.is(Tag::Error)) return a;
    if (node.op == RuleOp::Negate) {
        if (a.is(Tag::Double)) return RuleValue::of(-a.real);
        if (!a.is(Tag::Int)) return fault(RuleFault::WrongType, index);
        return a.integer == INT64_MIN ? fault(RuleFault::Overflow, index) : RuleValue::of(-a.integer);
    }
    RuleValue b = evaluate(program_.child(node, 1));
    if (b.is(Tag::Error)) return b;
    if (a.is(Tag::Int) && b.is(Tag::Int)) {
        int64_t result = 0;
        bool overflow = false;
        if (node.op == RuleOp::Divide || node.op == RuleOp::Modulo) {
            if (b.integer == 0) return fault(RuleFault::DivisionByZero, index);
            overflow = a.integer == INT64_MIN && b.integer == -1;
            if (!overflow) result = node.op == RuleOp::Divide ? a.integer / b.integer : a.integer % b.integer;
        } else if (node.op == RuleOp::Add) {
            overflow = __builtin_add_overflow(a.integer, b.integer, &result);
        } else if (node.op == RuleOp::Subtract) {
            overflow = __builtin_sub_overflow(a.integer, b.integer, &result);
        } else {
            overflow = __builtin_mul_overflow(a.integer, b.integer, &result);
        }
        return overflow ? fault(RuleFault::Overflow, index) : RuleValue::of(result);
    }
    if (a.is(Tag::Double) && b.is(Tag::Double)) {
        switch (node.op) {
            case RuleOp::Add: return RuleValue::of(a.real + b.real);
            case RuleOp::Subtract: return RuleValue::of(a.real - b.real);
            case RuleOp::Multiply: return RuleValue::of(a.real * b.real);
            case RuleOp::Divide: return RuleValue::of(a.real / b.real);
            default: return fault(RuleFault::WrongType, index);
        }
    }
    if (node.op == RuleOp::Add && a.is(Tag::String) && b.is(Tag::String)) {
        constexpr size_t kLongest = 65536;
        if (size_t(a.count) + b.count > kLongest) return fault(RuleFault::TooCostly, index);
        return keep(std::string(a.text()) + std::string(b.text()));
    }
    return fault(RuleFault::WrongType, index);
}

RuleValue RuleEvaluator::evaluate_aggregate(const RuleNode& node, uint32_t index) {
    RuleValue list = evaluate(program_.child(node, 0));
    if (list.is(Tag::Error)) return list;
    if (node.op == RuleOp::Size && list.is(Tag::String)) return RuleValue::of(int64_t(list.count));
    if (!list.is_list()) return fault(RuleFault::WrongType, index);
    if (node.op == RuleOp::Size) return RuleValue::of(int64_t(list.count));
    bool pick = node.op == RuleOp::Minimum || node.op == RuleOp::Maximum;
    if (pick && list.count == 0) return fault(RuleFault::OutOfRange, index);
    int64_t result = node.op == RuleOp::Product ? 1 : 0;
    for (uint32_t i = 0; i < list.count; ++i) {
        RuleValue item = element_of(list, i);
        if (!item.is(Tag::Int)) return fault(RuleFault::WrongType, index);
        bool overflow = false;
        if (pick && i == 0) result = item.integer;
        else if (node.op == RuleOp::Minimum) result = std::min(result, item.integer);
        else if (node.op == RuleOp::Maximum) result = std::max(result, item.integer);
        else if (node.op == RuleOp::Sum) overflow = __builtin_add_overflow(result, item.integer, &result);
        else if (item.integer < 0) return fault(RuleFault::DynamicShape, index);
        else overflow = __builtin_mul_overflow(result, item.integer, &result);
        if (overflow) return fault(RuleFault::Overflow, index);
    }
    return RuleValue::of(result);
}

RuleValue RuleEvaluator::evaluate_conversion(const RuleNode& node, uint32_t index) {
    RuleValue value = evaluate(program_.child(node, 0));
    if (value.is(Tag::Error)) return value;
    if (node.op == RuleOp::ToString) {
        if (value.is(Tag::String)) return value;
        if (value.is_list() || value.is(Tag::Node) || value.is(Tag::Attributes))
            return fault(RuleFault::WrongType, index);
        return keep(to_string(value));
    }
    if (value.is(Tag::String)) {
        const char* end = value.chars + value.count;
        if (node.op == RuleOp::ToInt) {
            int64_t integer = 0;
            auto [stop, error] = std::from_chars(value.chars, end, integer);
            return error == std::errc() && stop == end ? RuleValue::of(integer) : fault(RuleFault::NoNumber, index);
        }
        double real = 0;
        auto [stop, error] = std::from_chars(value.chars, end, real);
        return error == std::errc() && stop == end ? RuleValue::of(real) : fault(RuleFault::NoNumber, index);
    }
    if (!value.is_number()) return fault(RuleFault::WrongType, index);
    if (node.op == RuleOp::ToDouble) return RuleValue::of(as_double(value));
    if (value.is(Tag::Int)) return value;
    if (!(std::fabs(value.real) < 9.2e18)) return fault(RuleFault::Overflow, index);
    return RuleValue::of(int64_t(value.real));
}

RuleValue RuleEvaluator::evaluate_text(const RuleNode& node, uint32_t index) {
    RuleValue text = evaluate(program_.child(node, 0));
    if (text.is(Tag::Error)) return text;
    RuleValue part = evaluate(program_.child(node, 1));
    if (part.is(Tag::Error)) return part;
    if (!text.is(Tag::String) || !part.is(Tag::String)) return fault(RuleFault::WrongType, index);
    switch (node.op) {
        case RuleOp::StartsWith: return RuleValue::of(text.text().starts_with(part.text()));
        case RuleOp::EndsWith: return RuleValue::of(text.text().ends_with(part.text()));
        default: return RuleValue::of(text.text().find(part.text()) != std::string_view::npos);
    }
}

}  // namespace partita
