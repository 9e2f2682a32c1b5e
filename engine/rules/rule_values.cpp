// Reads values for a rule from the module: fields, attributes, elements, producers; converts values to text.
#include <algorithm>
#include <charconv>

#include "engine/ir/kind_name.h"
#include "engine/ir/name_scope.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/rules/rule_program.h"

namespace partita {

namespace {

using Tag = RuleValue::Tag;

/// Returns the common types' names without allocating; empty for the others.
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

RuleValue RuleEvaluator::dtype_name(DataType dtype) {
    std::string_view name = common_dtype_name(dtype);
    if (!name.empty() || dtype.is_void()) return RuleValue::of(name);
    return keep(dtype.to_string());
}

/// Returns the expression of the node's child, or the call if it has none.
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
        case RuleField::Scope: return scope_of(expr, index);
        case RuleField::Flops: return RuleValue::of(call_or_composite_flops(module_, expr));
        case RuleField::Index:
            if (kind != ExprKind::Projection) return fault(RuleFault::NoProjection, index);
            return RuleValue::of(int64_t(module_.projection_index(expr)));
        case RuleField::Fields:
            if (kind != ExprKind::Tuple) return fault(RuleFault::NoTuple, index);
            return RuleValue::of(module_.operands(expr));
        case RuleField::Values: return values_of(expr, index);
        case RuleField::Value:
            if (kind != ExprKind::Constant || module_.constant(expr).size() != 1 || !module_.constant(expr).defined())
                return fault(RuleFault::NoConstant, index);
            try {
                return RuleValue::of(module_.constant(expr).at(0));
            } catch (const DataLost&) {
                return fault(RuleFault::NoConstant, index);
            }
        default: return evaluate_tensor_field(RuleField(node.slot), expr, index);
    }
}

RuleValue RuleEvaluator::values_of(ExprId expr, uint32_t index) {
    constexpr int64_t kMost = 64;
    if (module_.kind(expr) != ExprKind::Constant) return fault(RuleFault::NoConstant, index);
    const Tensor& tensor = module_.constant(expr);
    if (!tensor.defined() || tensor.size() > kMost) return fault(RuleFault::NoConstant, index);
    std::vector<RuleValue> numbers;
    try {
        for (int64_t i = 0; i < tensor.size(); ++i) numbers.push_back(RuleValue::of(int64_t(tensor.at(i))));
    } catch (const DataLost&) {
        return fault(RuleFault::NoConstant, index);
    }
    return keep(std::move(numbers));
}

RuleValue RuleEvaluator::scope_of(ExprId expr, uint32_t index) {
    const std::string_view name = module_.label(expr);
    if (name.empty()) return fault(RuleFault::NoName, index);
    std::vector<RuleValue> scopes;
    for (std::string_view part : scopes_of_name(name)) scopes.push_back(RuleValue::of(part));
    return keep(std::move(scopes));
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
    return attribute_named(ExprId(target.expr), node, index);
}

RuleValue RuleEvaluator::attribute_named(ExprId call, const RuleNode& node, uint32_t index) {
    const OpRecord* op = called_op_record(module_, call);
    if (!op || !module_.attributes_id(call).valid()) return fault(RuleFault::NoAttributes, index);
    const AttributeValue* value = attributes_of(module_, call).find(node.name);
    if (!value) return fault(RuleFault::NoSuchAttribute, index);
    const int place = op->attribute_index(node.name);
    const bool as_list = place >= 0 && op->attributes[size_t(place)].kind == AttributeKind::IntegerList;
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

/// Returns the names of at most `count` ops along first arguments, ending at the first expression that is not a call.
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
        case RuleFault::NoConstant: return where + ": it is no constant, or has too many elements";
        case RuleFault::NoProjection: return where + ": it is no projection";
        case RuleFault::NoTuple: return where + ": it is no tuple";
        case RuleFault::NoName: return where + ": it has no name in its file";
        case RuleFault::NoSuchKey: return where + ": the function has no such attribute";
        case RuleFault::WrongType:
        case RuleFault::None: break;
    }
    return where + ": the value has the wrong type";
}

}  // namespace partita
