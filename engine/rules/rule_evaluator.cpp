// Evaluates a checked rule. Recursion is as deep as the rule's tree (kRuleHeight at most), the number of steps bounded.
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

std::string_view kind_name(ExprKind kind) {
    switch (kind) {
        case ExprKind::Var: return "var";
        case ExprKind::Constant: return "constant";
        case ExprKind::GlobalVar: return "global_var";
        case ExprKind::Op: return "op";
        case ExprKind::Call: return "call";
        case ExprKind::Tuple: return "tuple";
        case ExprKind::Projection: return "projection";
        case ExprKind::Let: return "let";
        case ExprKind::If: return "if";
        case ExprKind::Function: return "function";
        case ExprKind::RefCreate: return "ref_create";
        case ExprKind::RefRead: return "ref_read";
        case ExprKind::RefWrite: return "ref_write";
    }
    return "";
}

double as_double(const RuleValue& value) { return value.is(Tag::Int) ? double(value.integer) : value.real; }

/// -1, 0, 1; 2 where there is no order (NaN).
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

/// The common types' names without allocating; empty for the others.
std::string_view common_dtype_name(DataType dtype) {
    constexpr std::array<std::pair<DataType, std::string_view>, 14> kNames = {{{kFloat32, "float32"},
                                                                               {kInt8, "int8"},
                                                                               {kUInt8, "uint8"},
                                                                               {kInt32, "int32"},
                                                                               {kInt64, "int64"},
                                                                               {kFloat16, "float16"},
                                                                               {kFloat64, "float64"},
                                                                               {kBool, "bool"},
                                                                               {kBFloat16, "bfloat16"},
                                                                               {kInt16, "int16"},
                                                                               {kUInt16, "uint16"},
                                                                               {kUInt32, "uint32"},
                                                                               {kUInt64, "uint64"},
                                                                               {kVoid, ""}}};
    for (const auto& [known, name] : kNames)
        if (known == dtype) return name;
    return {};
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

RuleValue RuleEvaluator::dtype_name(DataType dtype) {
    std::string_view name = common_dtype_name(dtype);
    if (!name.empty() || dtype.is_void()) return RuleValue::of(name);
    return keep(dtype.to_string());
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
    if (flipped_.empty()) [[likely]]
        return compute(node);
    if (const RuleTerm* term = flipped_term(node)) return RuleValue::of(!term->value);
    return compute(node);
}

RuleValue RuleEvaluator::compute(uint32_t index) {
    const RuleNode& node = program_.nodes[index];
    if (++steps_ > kRuleSteps) return fault(RuleFault::TooCostly, index);
    RuleValue failure;
    switch (node.op) {
        case RuleOp::Constant: return program_.constants[node.slot];
        case RuleOp::Local: return locals_[node.slot];
        case RuleOp::Subject: return RuleValue::of(subject_.call);
        case RuleOp::Bound: {
            ExprId bound = node.slot < subject_.bound.size() ? subject_.bound[node.slot] : ExprId();
            return bound.valid() ? RuleValue::of(bound) : RuleValue();
        }
        case RuleOp::And: return evaluate_logic(node, index, false);
        case RuleOp::Or: return evaluate_logic(node, index, true);
        case RuleOp::Not: {
            RuleValue value = evaluate(program_.child(node, 0));
            if (value.is(Tag::Error)) return value;
            return value.is(Tag::Bool) ? RuleValue::of(!value.boolean) : fault(RuleFault::WrongType, index);
        }
        case RuleOp::Conditional: {
            RuleValue condition = evaluate(program_.child(node, 0));
            if (condition.is(Tag::Error)) return condition;
            if (!condition.is(Tag::Bool)) return fault(RuleFault::WrongType, index);
            return evaluate(program_.child(node, condition.boolean ? 1 : 2));
        }
        case RuleOp::Has: {
            RuleValue value = evaluate(program_.child(node, 0));
            return RuleValue::of(!value.is(Tag::Error) && !value.is(Tag::Null));
        }
        case RuleOp::All:
        case RuleOp::Exists:
        case RuleOp::ExistsOne: return evaluate_loop(node, index);
        case RuleOp::Field: return evaluate_field(node, index);
        case RuleOp::OwnAttribute: {
            if (module_.kind(subject_.call) != ExprKind::Call) return fault(RuleFault::NoAttributes, index);
            AttributesId id = module_.attributes_id(subject_.call);
            if (!id.valid() || node.slot >= module_.attributes(id).size()) return fault(RuleFault::NoAttributes, index);
            return from_attribute(module_.attributes(id)[node.slot], node.type.kind == RuleTypeKind::List);
        }
        case RuleOp::NamedAttribute: return named_attribute(node, index);
        case RuleOp::OpName:
        case RuleOp::Attributes:
        case RuleOp::Arguments:
        case RuleOp::Users: {
            ExprId expr = subject_of(node, failure);
            if (!expr.valid()) return failure;
            if (node.op == RuleOp::OpName) return op_name(expr);
            if (node.op == RuleOp::Users) return RuleValue::of(facts().users(expr));
            bool call = module_.kind(expr) == ExprKind::Call;
            if (node.op == RuleOp::Arguments)
                return RuleValue::of(call ? module_.arguments(expr) : std::span<const ExprId>());
            RuleValue value = RuleValue::of(expr);
            value.tag = Tag::Attributes;
            return value;
        }
        case RuleOp::FunctionName: {
            int function = facts().function_of(subject_.call);
            if (function < 0) return RuleValue::of(std::string_view());
            return RuleValue::of(module_.names().text(module_.functions()[size_t(function)].name));
        }
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

/// CEL: the absorbing value (false for &&, true for ||) wins over errors, an error over the other value.
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

/// The expression of the node's child, or the call where it has none.
ExprId RuleEvaluator::subject_of(const RuleNode& node, RuleValue& failure) {
    if (node.child_count == 0) return subject_.call;
    RuleValue value = evaluate(program_.child(node, 0));
    if (value.is(Tag::Node)) return value.id();
    failure = value.is(Tag::Error)
                  ? value
                  : fault(value.is(Tag::Null) ? RuleFault::NotMatched : RuleFault::WrongType, program_.child(node, 0));
    return ExprId();
}

RuleValue RuleEvaluator::evaluate_tensor_field(RuleField field, ExprId expr, uint32_t index) {
    const TypeTable& types = module_.types();
    TypeId type = module_.type(expr);
    if (field == RuleField::Type) return keep(types.to_string(type));
    if (!types.is_tensor(type)) return fault(RuleFault::NoTensor, index);
    std::span<const int64_t> shape = types.shape(type);
    switch (field) {
        case RuleField::DType: return dtype_name(types.dtype(type));
        case RuleField::Shape: return RuleValue::of(shape);
        case RuleField::Rank: return RuleValue::of(int64_t(shape.size()));
        default: break;
    }
    std::optional<int64_t> count = element_count(shape);
    if (!count) return fault(RuleFault::DynamicShape, index);
    if (field == RuleField::Size) return RuleValue::of(*count);
    int64_t bytes = 0;
    if (__builtin_mul_overflow(*count, int64_t(types.dtype(type).bytes()), &bytes))
        return fault(RuleFault::Overflow, index);
    return RuleValue::of(bytes);
}

RuleValue RuleEvaluator::evaluate_field(const RuleNode& node, uint32_t index) {
    RuleValue failure;
    ExprId expr = subject_of(node, failure);
    if (!expr.valid()) return failure;
    ExprKind kind = module_.kind(expr);
    switch (RuleField(node.slot)) {
        case RuleField::IsConstant: return RuleValue::of(kind == ExprKind::Constant);
        case RuleField::IsVar: return RuleValue::of(kind == ExprKind::Var);
        case RuleField::Kind: return RuleValue::of(kind_name(kind));
        case RuleField::Name:
            return RuleValue::of(kind == ExprKind::Var || kind == ExprKind::GlobalVar ? module_.name(expr)
                                                                                      : module_.label(expr));
        case RuleField::Flops: return RuleValue::of(call_or_composite_flops(module_, expr));
        case RuleField::Index:
            if (kind != ExprKind::Projection) return fault(RuleFault::NoProjection, index);
            return RuleValue::of(int64_t(module_.projection_index(expr)));
        case RuleField::Fields:
            if (kind != ExprKind::Tuple) return fault(RuleFault::NoTuple, index);
            return RuleValue::of(module_.operands(expr));
        case RuleField::Value:
            if (kind != ExprKind::Constant || module_.constant(expr).size() != 1 || !module_.constant(expr).defined())
                return fault(RuleFault::NoConstant, index);
            return RuleValue::of(module_.constant(expr).at(0));
        default: return evaluate_tensor_field(RuleField(node.slot), expr, index);
    }
}

RuleValue RuleEvaluator::evaluate_call_bytes(uint32_t index) const {
    double bytes = type_bytes(module_.types(), module_.type(subject_.call));
    if (module_.kind(subject_.call) != ExprKind::Call) return fault(RuleFault::WrongType, index);
    for (ExprId argument : module_.arguments(subject_.call))
        bytes += type_bytes(module_.types(), module_.type(argument));
    return bytes < 9e18 ? RuleValue::of(int64_t(bytes)) : fault(RuleFault::Overflow, index);
}

RuleValue RuleEvaluator::op_name(ExprId expr) const {
    if (const OpRecord* op = called_op_record(module_, expr)) return RuleValue::of(std::string_view(op->name));
    return RuleValue::of(composite_name(module_, expr));
}

RuleValue RuleEvaluator::from_attribute(const AttributeValue& value, bool as_list) {
    if (value.is_none()) return RuleValue();
    if (const AttributeValue::List* list = value.as_list())
        return RuleValue::attribute_list(list->data(), list->size());
    if (as_list) return RuleValue::attribute_list(&value, 1);  // Relay allows one integer for a list of equal ones
    if (const bool* flag = value.as_bool()) return RuleValue::of(*flag);
    if (const Integer* integer = value.as_integer()) return RuleValue::of(integer->value);
    if (const double* real = value.as_double()) return RuleValue::of(*real);
    if (const std::string* text = value.as_string()) return RuleValue::of(std::string_view(*text));
    if (const DataType* dtype = value.as_dtype()) return dtype_name(*dtype);
    return RuleValue();
}

RuleValue RuleEvaluator::named_attribute(const RuleNode& node, uint32_t index) {
    RuleValue target = evaluate(program_.child(node, 0));
    if (target.is(Tag::Error)) return target;
    if (!target.is(Tag::Attributes)) return fault(RuleFault::WrongType, index);
    ExprId call(target.expr);
    const OpRecord* op = called_op_record(module_, call);
    if (!op || !module_.attributes_id(call).valid()) return fault(RuleFault::NoAttributes, index);
    AttributesView view = attributes_of(module_, call);
    const AttributeValue* value = view.find(node.name);
    if (!value) return fault(RuleFault::NoSuchAttribute, index);
    bool as_list = op->attributes[size_t(op->attribute_index(node.name))].kind == AttributeKind::IntegerList;
    return from_attribute(*value, as_list);
}

RuleValue RuleEvaluator::function_attribute(const RuleNode& node, uint32_t index) {
    int function = facts().function_of(subject_.call);
    if (function < 0) return fault(RuleFault::NoSuchKey, index);
    const FunctionInfo& info = module_.function_info(module_.functions()[size_t(function)].function);
    const AttributeValue* value = info.attribute(node.name);
    return value ? from_attribute(*value, false) : fault(RuleFault::NoSuchKey, index);
}

RuleValue RuleEvaluator::element_of(const RuleValue& list, uint32_t index) {
    switch (list.tag) {
        case Tag::IntList: return RuleValue::of(list.integers[index]);
        case Tag::NodeList: return RuleValue::of(list.exprs[index]);
        case Tag::ValueList: return list.values[index];
        default: break;
    }
    const AttributeValue& value = list.attributes[index];
    if (const Integer* integer = value.as_integer()) return RuleValue::of(integer->value);
    if (const double* real = value.as_double()) return RuleValue::of(*real);
    if (const bool* flag = value.as_bool()) return RuleValue::of(*flag);
    if (const std::string* text = value.as_string()) return RuleValue::of(std::string_view(*text));
    if (const AttributeValue::List* inner = value.as_list())
        return RuleValue::attribute_list(inner->data(), inner->size());
    if (const DataType* dtype = value.as_dtype()) return RuleValue::of(common_dtype_name(*dtype));
    return RuleValue();
}

RuleValue RuleEvaluator::evaluate_element(const RuleNode& node, uint32_t index) {
    RuleValue list = evaluate(program_.child(node, 0));
    if (list.is(Tag::Error)) return list;
    RuleValue at = evaluate(program_.child(node, 1));
    if (at.is(Tag::Error)) return at;
    if (!list.is_list() || !at.is(Tag::Int)) return fault(RuleFault::WrongType, index);
    if (at.integer < 0 || at.integer >= int64_t(list.count)) return fault(RuleFault::OutOfRange, index);
    return element_of(list, uint32_t(at.integer));
}

RuleValue RuleEvaluator::evaluate_list(const RuleNode& node) {
    std::vector<RuleValue> values;
    for (uint32_t i = 0; i < node.child_count; ++i) {
        values.push_back(evaluate(program_.child(node, i)));
        if (values.back().is(Tag::Error)) return values.back();
    }
    return keep(std::move(values));
}

/// Nesting of lists is bounded by the rule's and the attribute's own.
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

/// Names of at most `count` ops along first arguments, ending at the first expression that is no call.
RuleValue RuleEvaluator::evaluate_chain(const RuleNode& node, uint32_t index) {
    constexpr int64_t kLongest = 64;
    RuleValue failure;
    ExprId expr = subject_of(node, failure);
    if (!expr.valid()) return failure;
    RuleValue count = evaluate(program_.child(node, 1));
    if (count.is(Tag::Error)) return count;
    if (!count.is(Tag::Int)) return fault(RuleFault::WrongType, index);
    std::vector<RuleValue> names;
    while (int64_t(names.size()) < std::min(count.integer, kLongest) && module_.kind(expr) == ExprKind::Call) {
        names.push_back(op_name(expr));
        if (module_.arguments(expr).empty()) break;
        expr = module_.arguments(expr)[0];
    }
    return keep(std::move(names));
}

RuleValue RuleEvaluator::evaluate_skip(const RuleNode& node, uint32_t index) {
    constexpr int kLongest = 64;
    RuleValue failure;
    ExprId expr = subject_of(node, failure);
    if (!expr.valid()) return failure;
    RuleValue ops = evaluate(program_.child(node, 1));
    if (ops.is(Tag::Error)) return ops;
    if (!ops.is_list()) return fault(RuleFault::WrongType, index);
    for (int i = 0; i < kLongest && module_.kind(expr) == ExprKind::Call && !module_.arguments(expr).empty(); ++i) {
        RuleValue name = op_name(expr);
        bool listed = false;
        for (uint32_t k = 0; k < ops.count; ++k) listed |= equal(name, element_of(ops, k));
        if (!listed) break;
        expr = module_.arguments(expr)[0];
    }
    return RuleValue::of(expr);
}

std::string RuleEvaluator::to_string(const RuleValue& value) const {
    switch (value.tag) {
        case Tag::Null: return "null";
        case Tag::Bool: return value.boolean ? "true" : "false";
        case Tag::Int: return std::to_string(value.integer);
        case Tag::Double: {
            char digits[32];
            auto [end, _] = std::to_chars(digits, digits + sizeof digits, value.real);
            return std::string(digits, end);
        }
        case Tag::String: return "'" + std::string(value.text()) + "'";
        case Tag::Node: {
            RuleValue name = op_name(value.id());
            if (name.count) return "a call of " + std::string(name.text());
            if (module_.kind(value.id()) == ExprKind::Var) return "%" + std::string(module_.name(value.id()));
            return "a " + std::string(kind_name(module_.kind(value.id())));
        }
        case Tag::Error: return describe(value);
        case Tag::Attributes:
        case Tag::Function: return "...";
        default: break;
    }
    constexpr uint32_t kShown = 16;
    std::string text = "[";
    for (uint32_t i = 0; i < std::min(value.count, kShown); ++i) {
        if (i) text += ", ";
        text += to_string(element_of(value, i));
    }
    return text + (value.count > kShown ? ", ...]" : "]");
}

std::string RuleEvaluator::describe(const RuleValue& error) const {
    const RuleNode& node = program_.nodes[error.count];
    std::string where = "'" + std::string(program_.source(node)) + "'";
    switch (error.fault) {
        case RuleFault::OutOfRange: return where + ": there is no such element";
        case RuleFault::NoTensor: return where + ": the value is no tensor";
        case RuleFault::DynamicShape: return where + ": the shape is not known before the run";
        case RuleFault::NoAttributes: return where + ": it is no call of an operator with attributes";
        case RuleFault::NoSuchAttribute: return where + ": the operator has no such attribute";
        case RuleFault::NotMatched: return where + ": the pattern matched without it";
        case RuleFault::DivisionByZero: return where + ": division by zero";
        case RuleFault::Overflow: return where + ": the number is too large";
        case RuleFault::TooCostly: return where + ": the rule takes too many steps";
        case RuleFault::NoNumber: return where + ": the string is no number";
        case RuleFault::NoConstant: return where + ": it is no constant of one element";
        case RuleFault::NoProjection: return where + ": it is no projection";
        case RuleFault::NoTuple: return where + ": it is no tuple";
        case RuleFault::NoSuchKey: return where + ": the function has no such attribute";
        case RuleFault::WrongType:
        case RuleFault::None: break;
    }
    return where + ": the value has the wrong type";
}

}  // namespace partita
