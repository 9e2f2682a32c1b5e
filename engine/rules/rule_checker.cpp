// Names and types of a rule: turns the parsed tree into one whose every name is a slot, or says what is wrong and what
// was probably meant.
#include <algorithm>
#include <array>

#include "engine/ops/registry.h"
#include "engine/rules/rule_program.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

using Types = RuleTypeKind;

constexpr RuleWord kNames[] = {
    {"op", "name of the operator that is called, or of the composite"},
    {"attrs", "attributes of the call: attrs.strides"},
    {"args", "arguments of the call: args[0].dtype"},
    {"result", "the call itself: result.shape"},
    {"users", "expressions that use the result"},
    {"flops", "floating-point operations of the call"},
    {"bytes", "bytes of the arguments and the result"},
    {"function", "the function around the call: function.name, function.attrs"},
};

struct FieldRecord {
    RuleWord word;
    RuleField field;
    RuleType type;
};
constexpr RuleType kBoolType{Types::Bool}, kIntType{Types::Int}, kDoubleType{Types::Double}, kStringType{Types::String},
    kDynamicType{Types::Dynamic}, kNodeType{Types::Node};
constexpr RuleType list_of(Types element) { return {Types::List, element}; }
constexpr RuleType kDTypeType{Types::String, Types::Dynamic, false, RuleVocabulary::DType};
constexpr RuleType kOpNameType{Types::String, Types::Dynamic, false, RuleVocabulary::Op};

constexpr FieldRecord kFieldRecords[] = {
    {{"dtype", "element type: 'float32'"}, RuleField::DType, kDTypeType},
    {{"shape", "dimensions; an unknown one is -1"}, RuleField::Shape, list_of(Types::Int)},
    {{"rank", "number of dimensions"}, RuleField::Rank, kIntType},
    {{"size", "number of elements"}, RuleField::Size, kIntType},
    {{"bytes", "bytes of the value"}, RuleField::Bytes, kIntType},
    {{"type", "the type as Relay prints it: 'Tensor[(1, 3), float32]'"}, RuleField::Type, kStringType},
    {{"is_constant", "whether it is a constant"}, RuleField::IsConstant, kBoolType},
    {{"is_var", "whether it is a parameter or variable"}, RuleField::IsVar, kBoolType},
    {{"kind", "'call', 'var', 'constant', 'tuple', 'projection', ..."}, RuleField::Kind, kStringType},
    {{"name", "name of a variable, or the label of a call"}, RuleField::Name, kStringType},
    {{"value", "value of a constant of one element"}, RuleField::Value, kDoubleType},
    {{"flops", "floating-point operations of a call"}, RuleField::Flops, kDoubleType},
    {{"index", "which field a projection takes"}, RuleField::Index, kIntType},
    {{"fields", "fields of a tuple expression"}, RuleField::Fields, list_of(Types::Node)},
};
// What else an expression has; not values of its own but ways on.
constexpr RuleWord kWays[] = {
    {"op", "name of the operator that a producer calls, or \"\""},
    {"attrs", "attributes of a producer's call"},
    {"args", "arguments of a producer's call"},
    {"users", "expressions that use the value"},
};

constexpr RuleWord kMethods[] = {
    {"all", "list.all(x, condition): holds for every element"},
    {"exists", "list.exists(x, condition): holds for some element"},
    {"exists_one", "list.exists_one(x, condition): holds for exactly one element"},
    {"startsWith", "text.startsWith(prefix)"},
    {"endsWith", "text.endsWith(suffix)"},
    {"contains", "text.contains(part)"},
    {"size", "number of elements, or of letters"},
    {"chain", "expression.chain(n): names of n ops along first arguments, the nearest first"},
    {"skip", "expression.skip(['cast']): the producer behind calls of these ops"},
};
constexpr RuleWord kFunctions[] = {
    {"has", "has(attrs.channels): whether it is there and not null"},
    {"size", "size(list), size(text)"},
    {"product", "product(shape)"},
    {"sum", "sum(list)"},
    {"min", "min(list): the smallest element"},
    {"max", "max(list): the largest element"},
    {"int", "int(number)"},
    {"double", "double(number)"},
    {"string", "string(value)"},
};

std::string_view kind_text(Types kind) {
    switch (kind) {
        case Types::Bool: return "a truth value";
        case Types::Int: return "an integer";
        case Types::Double: return "a floating-point number";
        case Types::String: return "a string";
        case Types::Null: return "null";
        case Types::Node: return "an expression";
        case Types::Attributes: return "attributes";
        case Types::Function: return "a function";
        case Types::List: return "a list";
        case Types::Dynamic: return "a value";
    }
    return "";
}

std::string type_text(const RuleType& type) {
    if (type.kind != Types::List) return std::string(kind_text(type.kind));
    switch (type.element) {
        case Types::Int: return "a list of integers";
        case Types::Double: return "a list of floating-point numbers";
        case Types::String: return "a list of strings";
        case Types::Bool: return "a list of truth values";
        case Types::Node: return "a list of expressions";
        default: return "a list";
    }
}

bool is_number(Types kind) { return kind == Types::Int || kind == Types::Double; }

bool comparable(const RuleType& a, const RuleType& b) {
    if (a.kind == Types::Dynamic || b.kind == Types::Dynamic) return true;
    if (a.kind == Types::Null) return b.nullable || b.kind == Types::Null;
    if (b.kind == Types::Null) return a.nullable;
    if (is_number(a.kind) && is_number(b.kind)) return true;
    if (a.kind != b.kind || a.kind == Types::Attributes || a.kind == Types::Function) return false;
    if (a.kind != Types::List) return true;
    RuleType element_a{a.element}, element_b{b.element};
    return comparable(element_a, element_b);
}

RuleType attribute_type(const AttributeField& field) {
    RuleType type;
    switch (field.kind) {
        case AttributeKind::Int: type = kIntType; break;
        case AttributeKind::Bool: type = kBoolType; break;
        case AttributeKind::Double: type = kDoubleType; break;
        case AttributeKind::String: type = kStringType; break;
        case AttributeKind::DType: type = kDTypeType; break;
        case AttributeKind::IntegerList: type = list_of(Types::Int); break;
        case AttributeKind::Object: type = kDynamicType; break;
    }
    type.nullable = field.default_value.is_none() && !field.required;
    return type;
}

constexpr std::string_view kDTypes[] = {"bool",   "int8",   "int16",   "int32",   "int64",   "uint8",   "uint16",
                                        "uint32", "uint64", "float16", "float32", "float64", "bfloat16"};

/// Whether ops have names that begin as this one does up to its first dot: a composite's name does not.
bool in_op_namespace(std::string_view name) {
    size_t dot = name.find('.');
    if (dot == std::string_view::npos) return true;
    for (const OpRecord& op : op_registry().records())
        if (op.name.starts_with(name.substr(0, dot + 1))) return true;
    return false;
}

/// Recursion is as deep as the tree, which the parser bounds.
class Checker {
public:
    explicit Checker(RuleProgram& program) : program_(program) {}

    Status check() {
        RuleType type;
        if (!check(program_.root, type)) return failure_;
        if (!is_bool(type)) {
            fail(program_.root, "a rule is true or false; this is " + type_text(type));
            return failure_;
        }
        return Nothing();
    }

private:
    RuleNode& node(uint32_t id) { return program_.nodes[id]; }
    uint32_t child(uint32_t id, uint32_t index) { return program_.child(node(id), index); }
    void set_children(uint32_t id, std::initializer_list<uint32_t> children) {
        node(id).first_child = uint32_t(program_.children.size());
        node(id).child_count = uint32_t(children.size());
        program_.children.insert(program_.children.end(), children);
    }

    bool fail_at(size_t offset, const std::string& message) {
        failure_ = error(message, position_in_text(program_.text, offset));
        return false;
    }
    bool fail(uint32_t id, const std::string& message) { return fail_at(node(id).begin, message); }
    /// At the name of a selection or method rather than at its target.
    bool fail_at_name(uint32_t id, const std::string& message) {
        return fail_at(size_t(node(id).name.data() - program_.text.data()), message);
    }
    static std::string suggestion(std::string_view word, const std::vector<std::string_view>& known) {
        std::string_view near = nearest_spelling(word, known);
        return near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?";
    }
    static void append_words(std::vector<std::string_view>& words, std::span<const RuleWord> more) {
        for (const RuleWord& word : more) words.push_back(word.word);
    }

    static bool is_bool(const RuleType& type) { return type.kind == Types::Bool || type.kind == Types::Dynamic; }
    static bool is_int(const RuleType& type) { return type.kind == Types::Int || type.kind == Types::Dynamic; }
    static bool is_list(const RuleType& type) { return type.kind == Types::List || type.kind == Types::Dynamic; }
    static bool is_string(const RuleType& type) { return type.kind == Types::String || type.kind == Types::Dynamic; }

    bool finish(uint32_t id, const RuleType& found, RuleType& type) {
        node(id).type = found;
        type = found;
        return true;
    }

    bool check(uint32_t id, RuleType& type) {
        switch (node(id).op) {
            case RuleOp::Constant: return check_constant(id, type);
            case RuleOp::Identifier: return check_identifier(id, type);
            case RuleOp::Select: return check_select(id, type);
            case RuleOp::Index: return check_index(id, type);
            case RuleOp::Call: return node(id).is_method ? check_method(id, type) : check_function(id, type);
            case RuleOp::List: return check_list(id, type);
            case RuleOp::Not:
            case RuleOp::And:
            case RuleOp::Or: return check_logic(id, type);
            case RuleOp::Negate: return check_negate(id, type);
            case RuleOp::Conditional: return check_conditional(id, type);
            case RuleOp::In: return check_in(id, type);
            case RuleOp::Equal:
            case RuleOp::NotEqual:
            case RuleOp::Less:
            case RuleOp::LessEqual:
            case RuleOp::Greater:
            case RuleOp::GreaterEqual: return check_comparison(id, type);
            default: return check_arithmetic(id, type);
        }
    }

    bool check_constant(uint32_t id, RuleType& type) {
        switch (program_.constants[node(id).slot].tag) {
            case RuleValue::Tag::Bool: return finish(id, kBoolType, type);
            case RuleValue::Tag::Int: return finish(id, kIntType, type);
            case RuleValue::Tag::Double: return finish(id, kDoubleType, type);
            case RuleValue::Tag::String: return finish(id, kStringType, type);
            default: return finish(id, {Types::Null}, type);
        }
    }

    bool check_identifier(uint32_t id, RuleType& type) {
        std::string_view name = node(id).name;
        const OpRecord* op = program_.context.op;
        for (size_t i = locals_.size(); i-- > 0;) {
            if (locals_[i].first != name) continue;
            node(id).op = RuleOp::Local;
            node(id).slot = uint32_t(i);
            return finish(id, locals_[i].second, type);
        }
        for (size_t i = 0; i < program_.context.names.size(); ++i) {
            if (program_.context.names[i].name != name) continue;
            node(id).op = RuleOp::Bound;
            node(id).slot = uint32_t(i);
            RuleType bound = kNodeType;
            bound.op = program_.context.names[i].op;
            bound.nullable = true;
            return finish(id, bound, type);
        }
        auto is = [&](std::string_view word, RuleOp found, RuleType of) {
            if (name != word) return false;
            node(id).op = found;
            of.op = op;
            return finish(id, of, type);
        };
        if (is("op", RuleOp::OpName, kOpNameType) || is("attrs", RuleOp::Attributes, {Types::Attributes}) ||
            is("args", RuleOp::Arguments, list_of(Types::Node)) || is("result", RuleOp::Subject, kNodeType) ||
            is("bytes", RuleOp::CallBytes, kIntType) || is("function", RuleOp::FunctionScope, {Types::Function}))
            return true;
        if (name == "users") {
            node(id).op = RuleOp::Users;
            return finish(id, list_of(Types::Node), type);
        }
        if (name == "flops") {
            node(id).op = RuleOp::Field;
            node(id).slot = uint32_t(RuleField::Flops);
            return finish(id, kDoubleType, type);
        }
        return fail_unknown_name(id);
    }

    bool fail_unknown_name(uint32_t id) {
        std::string_view name = node(id).name;
        std::vector<std::string_view> known;
        append_words(known, kNames);
        for (const RuleName& bound : program_.context.names) known.push_back(bound.name);
        for (const auto& [local, _] : locals_) known.push_back(local);
        std::string hint = suggestion(name, known);
        const OpRecord* op = program_.context.op;
        if (op && op->attribute_index(name) >= 0) hint = "; did you mean 'attrs." + std::string(name) + "'?";
        return fail(id, "there is no '" + std::string(name) + "'" + hint);
    }

    bool check_select(uint32_t id, RuleType& type) {
        RuleType target;
        if (!check(child(id, 0), target)) return false;
        switch (target.kind) {
            case Types::Node: return check_field(id, target, type);
            case Types::Attributes: return check_attribute(id, child(id, 0), node(id).name, target, type);
            case Types::Function: return check_function_field(id, target, type);
            case Types::List:
                return fail_at_name(id, "a list has no '" + std::string(node(id).name) +
                                            "'; name an element ([0]) or use .all(x, ...) or .exists(x, ...)");
            default: return fail_at_name(id, type_text(target) + " has no '" + std::string(node(id).name) + "'");
        }
    }

    bool check_field(uint32_t id, const RuleType& target, RuleType& type) {
        std::string_view name = node(id).name;
        for (const FieldRecord& record : kFieldRecords) {
            if (record.word.word != name) continue;
            node(id).op = RuleOp::Field;
            node(id).slot = uint32_t(record.field);
            return finish(id, record.type, type);
        }
        auto way = [&](RuleOp op, RuleType of) {
            node(id).op = op;
            of.op = target.op;
            return finish(id, of, type);
        };
        if (name == "op") return way(RuleOp::OpName, kOpNameType);
        if (name == "attrs") return way(RuleOp::Attributes, {Types::Attributes});
        if (name == "args") return way(RuleOp::Arguments, list_of(Types::Node));
        if (name == "users") {
            node(id).op = RuleOp::Users;
            return finish(id, list_of(Types::Node), type);
        }
        std::vector<std::string_view> known;
        for (const FieldRecord& record : kFieldRecords) known.push_back(record.word.word);
        append_words(known, kWays);
        return fail_at_name(id, "an expression has no '" + std::string(name) + "'" + suggestion(name, known));
    }

    /// Of `attrs.NAME` and `attrs['NAME']`; `target` is the node that gives the attributes.
    bool check_attribute(uint32_t id, uint32_t target, std::string_view name, const RuleType& target_type,
                         RuleType& type) {
        const OpRecord* op = target_type.op;
        if (!op) {
            if (!known_anywhere(name)) return fail_unknown_attribute(id, name);
            node(id).op = RuleOp::NamedAttribute;
            node(id).name = name;
            set_children(id, {target});
            RuleType found = kDynamicType;
            found.nullable = true;
            return finish(id, found, type);
        }
        int index = op->attribute_index(name);
        if (index < 0) {
            std::vector<std::string_view> known;
            for (const AttributeField& field : op->attributes) known.push_back(field.name);
            std::string message = op->name + " has no attribute '" + std::string(name) + "'";
            if (known.empty()) message = op->name + " has no attributes";
            return fail_at(name_offset(id, name), message + suggestion(name, known));
        }
        bool own = node(target).op == RuleOp::Attributes && node(target).child_count == 0;
        node(id).op = own ? RuleOp::OwnAttribute : RuleOp::NamedAttribute;
        node(id).slot = uint32_t(index);
        node(id).name = name;
        if (!own) set_children(id, {target});
        return finish(id, attribute_type(op->attributes[size_t(index)]), type);
    }

    size_t name_offset(uint32_t id, std::string_view name) {
        if (node(id).op == RuleOp::Index) return node(child(id, 1)).begin;  // of attrs['name']
        return size_t(name.data() - program_.text.data());
    }
    static bool known_anywhere(std::string_view name) {
        for (const OpRecord& op : op_registry().records())
            if (op.attribute_index(name) >= 0) return true;
        return false;
    }
    bool fail_unknown_attribute(uint32_t id, std::string_view name) {
        std::vector<std::string_view> known;
        for (const OpRecord& op : op_registry().records())
            for (const AttributeField& field : op.attributes) known.push_back(field.name);
        return fail_at(name_offset(id, name),
                       "no operator has an attribute '" + std::string(name) + "'" + suggestion(name, known));
    }

    // `function.attrs` is a function whose element kind is marked Null.
    bool check_function_field(uint32_t id, const RuleType& target, RuleType& type) {
        std::string_view name = node(id).name;
        if (target.element == Types::Null) {
            node(id).op = RuleOp::FunctionAttribute;
            node(id).child_count = 0;
            RuleType found = kDynamicType;
            found.nullable = true;
            return finish(id, found, type);
        }
        if (name == "name") {
            node(id).op = RuleOp::FunctionName;
            node(id).child_count = 0;
            return finish(id, kStringType, type);
        }
        if (name == "attrs") {
            node(id).op = RuleOp::FunctionScope;
            node(id).child_count = 0;
            return finish(id, {Types::Function, Types::Null}, type);
        }
        return fail_at_name(id, "a function has no '" + std::string(name) + "'" + suggestion(name, {"name", "attrs"}));
    }

    const RuleValue* constant_of(uint32_t id) {
        return node(id).op == RuleOp::Constant ? &program_.constants[node(id).slot] : nullptr;
    }

    bool check_index(uint32_t id, RuleType& type) {
        RuleType target, index;
        uint32_t list = child(id, 0), at = child(id, 1);
        if (!check(list, target) || !check(at, index)) return false;
        if (target.kind == Types::Attributes || (target.kind == Types::Function && target.element == Types::Null)) {
            const RuleValue* name = constant_of(at);
            if (!name || !name->is(RuleValue::Tag::String)) return fail(at, "expected an attribute's name in quotes");
            if (target.kind == Types::Attributes) return check_attribute(id, list, name->text(), target, type);
            node(id).op = RuleOp::FunctionAttribute;
            node(id).name = name->text();
            node(id).child_count = 0;
            RuleType found = kDynamicType;
            found.nullable = true;
            return finish(id, found, type);
        }
        if (!is_list(target)) return fail(list, type_text(target) + " has no elements");
        if (!is_int(index)) return fail(at, "expected an integer as index, found " + type_text(index));
        node(id).op = RuleOp::Element;
        if (const RuleValue* number = constant_of(at)) {
            if (number->integer < 0) return fail(at, "an index can't be negative");
            if (target.op && node(list).op == RuleOp::Arguments && !target.op->variadic &&
                number->integer >= int64_t(target.op->inputs.size()))
                return fail(at, target.op->name + " has " + std::to_string(target.op->inputs.size()) +
                                    (target.op->inputs.size() == 1 ? " argument" : " arguments"));
        }
        RuleType element{target.kind == Types::List ? target.element : Types::Dynamic};
        return finish(id, element, type);
    }

    bool check_logic(uint32_t id, RuleType& type) {
        for (uint32_t i = 0; i < node(id).child_count; ++i) {
            RuleType operand;
            if (!check(child(id, i), operand)) return false;
            if (!is_bool(operand)) return fail(child(id, i), "expected true or false, found " + type_text(operand));
        }
        return finish(id, kBoolType, type);
    }

    bool check_negate(uint32_t id, RuleType& type) {
        RuleType operand;
        if (!check(child(id, 0), operand)) return false;
        if (!is_number(operand.kind) && operand.kind != Types::Dynamic)
            return fail(child(id, 0), "expected a number, found " + type_text(operand));
        return finish(id, operand.kind == Types::Dynamic ? kDynamicType : RuleType{operand.kind}, type);
    }

    bool check_conditional(uint32_t id, RuleType& type) {
        RuleType condition, left, right;
        if (!check(child(id, 0), condition) || !check(child(id, 1), left) || !check(child(id, 2), right)) return false;
        if (!is_bool(condition)) return fail(child(id, 0), "expected true or false, found " + type_text(condition));
        if (!comparable(left, right))
            return fail(child(id, 2), "both results of ?: have to be of one type: this is " + type_text(right) +
                                          ", the other " + type_text(left));
        return finish(id, left.kind == right.kind ? left : kDynamicType, type);
    }

    bool check_vocabulary(RuleVocabulary vocabulary, uint32_t literal) {
        const RuleValue* value = constant_of(literal);
        if (!value || vocabulary == RuleVocabulary::None) return true;
        if (value->is(RuleValue::Tag::ValueList)) {
            for (uint32_t i = 0; i < value->count; ++i)
                if (!check_word(vocabulary, literal, value->values[i])) return false;
            return true;
        }
        return check_word(vocabulary, literal, *value);
    }
    bool check_word(RuleVocabulary vocabulary, uint32_t literal, const RuleValue& value) {
        if (!value.is(RuleValue::Tag::String)) return true;
        std::string_view word = value.text();
        if (word.empty()) return true;
        if (vocabulary == RuleVocabulary::DType) {
            if (DataType::parse(word)) return true;
            return fail(literal, "there is no dtype '" + std::string(word) + "'" +
                                     suggestion(word, {std::begin(kDTypes), std::end(kDTypes)}));
        }
        const OpRegistry& ops = op_registry();
        if (ops.find(word).valid() || !in_op_namespace(word)) return true;
        std::string_view near = ops.nearest(word);
        return fail(literal, "there is no operator '" + std::string(word) + "'" +
                                 (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
    }

    bool check_comparison(uint32_t id, RuleType& type) {
        RuleType left, right;
        if (!check(child(id, 0), left) || !check(child(id, 1), right)) return false;
        bool equality = node(id).op == RuleOp::Equal || node(id).op == RuleOp::NotEqual;
        auto ordered = [](const RuleType& operand) {
            return is_number(operand.kind) || operand.kind == Types::String || operand.kind == Types::Dynamic;
        };
        if (!equality && !ordered(left)) return fail(child(id, 0), type_text(left) + " has no order");
        if (!equality && !ordered(right)) return fail(child(id, 1), type_text(right) + " has no order");
        if (!comparable(left, right)) {
            std::string hint;
            if (left.kind == Types::Null || right.kind == Types::Null) hint = " (it is never null)";
            return fail(child(id, 1), "can't compare " + type_text(left) + " with " + type_text(right) + hint);
        }
        if (!check_vocabulary(left.vocabulary, child(id, 1)) || !check_vocabulary(right.vocabulary, child(id, 0)))
            return false;
        return finish(id, kBoolType, type);
    }

    bool check_in(uint32_t id, RuleType& type) {
        RuleType left, right;
        if (!check(child(id, 0), left) || !check(child(id, 1), right)) return false;
        if (right.kind == Types::String)
            return fail(child(id, 1), "'in' asks a list; of a string ask text.contains(part)");
        if (!is_list(right)) return fail(child(id, 1), "expected a list, found " + type_text(right));
        RuleType element{right.kind == Types::List ? right.element : Types::Dynamic};
        if (!comparable(left, element)) return fail(child(id, 0), type_text(left) + " is never in " + type_text(right));
        if (!check_vocabulary(left.vocabulary, child(id, 1))) return false;
        return finish(id, kBoolType, type);
    }

    bool check_arithmetic(uint32_t id, RuleType& type) {
        RuleType left, right;
        if (!check(child(id, 0), left) || !check(child(id, 1), right)) return false;
        for (int i = 0; i < 2; ++i) {
            const RuleType& operand = i ? right : left;
            bool text = node(id).op == RuleOp::Add && operand.kind == Types::String;
            if (!is_number(operand.kind) && operand.kind != Types::Dynamic && !text)
                return fail(child(id, uint32_t(i)), "expected a number, found " + type_text(operand));
        }
        if (left.kind == Types::Dynamic || right.kind == Types::Dynamic) return finish(id, kDynamicType, type);
        if (left.kind != right.kind)
            return fail(child(id, 1), "can't calculate with " + type_text(left) + " and " + type_text(right) +
                                          (is_number(left.kind) && is_number(right.kind)
                                               ? "; convert one with double(...) or int(...)"
                                               : ""));
        if (node(id).op == RuleOp::Modulo && left.kind == Types::Double)
            return fail(child(id, 0), "'%' is for integers");
        return finish(id, {left.kind}, type);
    }

    bool check_list(uint32_t id, RuleType& type) {
        RuleType list{Types::List, Types::Dynamic};
        bool constant = true;
        for (uint32_t i = 0; i < node(id).child_count; ++i) {
            RuleType item;
            if (!check(child(id, i), item)) return false;
            constant &= node(child(id, i)).op == RuleOp::Constant;
            if (i == 0) list.element = item.kind;
            else if (list.element != item.kind) list.element = Types::Dynamic;
            list.vocabulary = item.vocabulary;
        }
        if (constant) {
            std::vector<RuleValue> values;
            for (uint32_t i = 0; i < node(id).child_count; ++i) values.push_back(*constant_of(child(id, i)));
            program_.lists.push_back(std::move(values));
            node(id).op = RuleOp::Constant;
            node(id).slot = uint32_t(program_.constants.size());
            program_.constants.push_back(RuleValue::of(std::span<const RuleValue>(program_.lists.back())));
            node(id).child_count = 0;
        }
        return finish(id, list, type);
    }

    bool arity(uint32_t id, uint32_t wanted, std::string_view form) {
        uint32_t given = node(id).child_count - (node(id).is_method ? 1 : 0);
        if (given == wanted) return true;
        return fail_at_name(id, "'" + std::string(node(id).name) + "' takes " + std::to_string(wanted) +
                                    (wanted == 1 ? " argument" : " arguments") + ", found " + std::to_string(given) +
                                    ": write " + std::string(form));
    }

    bool check_function(uint32_t id, RuleType& type) {
        std::string_view name = node(id).name;
        if (name == "has") return check_has(id, type);
        struct Record {
            std::string_view name;
            RuleOp op;
            std::string_view form;
        };
        constexpr std::array<Record, 8> kRecords = {{{"size", RuleOp::Size, "size(list)"},
                                                     {"product", RuleOp::Product, "product(shape)"},
                                                     {"sum", RuleOp::Sum, "sum(list)"},
                                                     {"min", RuleOp::Minimum, "min(list)"},
                                                     {"max", RuleOp::Maximum, "max(list)"},
                                                     {"int", RuleOp::ToInt, "int(number)"},
                                                     {"double", RuleOp::ToDouble, "double(number)"},
                                                     {"string", RuleOp::ToString, "string(value)"}}};
        auto record = std::find_if(kRecords.begin(), kRecords.end(), [&](const Record& r) { return r.name == name; });
        if (record == kRecords.end()) {
            std::vector<std::string_view> known;
            append_words(known, kFunctions);
            for (const RuleWord& word : kMethods)
                if (word.word == name) return fail(id, "write it behind a value: " + std::string(word.help));
            return fail(id, "there is no function '" + std::string(name) + "'" + suggestion(name, known));
        }
        if (!arity(id, 1, record->form)) return false;
        return check_conversion(id, record->op, type);
    }

    bool check_conversion(uint32_t id, RuleOp op, RuleType& type) {
        RuleType operand;
        if (!check(child(id, 0), operand)) return false;
        node(id).op = op;
        std::string name(node(id).name);
        switch (op) {
            case RuleOp::Size:
                if (!is_list(operand) && operand.kind != Types::String)
                    return fail(child(id, 0), "expected a list or a string, found " + type_text(operand));
                return finish(id, kIntType, type);
            case RuleOp::ToInt:
            case RuleOp::ToDouble:
                if (!is_number(operand.kind) && !is_string(operand))
                    return fail(child(id, 0), "expected a number, found " + type_text(operand));
                return finish(id, op == RuleOp::ToInt ? kIntType : kDoubleType, type);
            case RuleOp::ToString:
                if (operand.kind == Types::List || operand.kind == Types::Node || operand.kind == Types::Attributes ||
                    operand.kind == Types::Function)
                    return fail(child(id, 0), type_text(operand) + " can't become a string");
                return finish(id, kStringType, type);
            default: break;
        }
        bool numbers =
            operand.kind == Types::Dynamic ||
            (operand.kind == Types::List && (operand.element == Types::Int || operand.element == Types::Dynamic));
        if (!numbers) return fail(child(id, 0), "expected a list of integers, found " + type_text(operand));
        return finish(id, kIntType, type);
    }

    bool check_has(uint32_t id, RuleType& type) {
        if (!arity(id, 1, "has(attrs.name)")) return false;
        RuleType operand;
        bool selection = node(child(id, 0)).op == RuleOp::Select || node(child(id, 0)).op == RuleOp::Index;
        if (!selection) return fail(child(id, 0), "has() asks for a field: write has(attrs.name)");
        if (!check(child(id, 0), operand)) return false;
        node(id).op = RuleOp::Has;
        return finish(id, kBoolType, type);
    }

    bool check_method(uint32_t id, RuleType& type) {
        std::string_view name = node(id).name;
        if (name == "all") return check_loop(id, RuleOp::All, type);
        if (name == "exists") return check_loop(id, RuleOp::Exists, type);
        if (name == "exists_one") return check_loop(id, RuleOp::ExistsOne, type);
        if (name == "size") return arity(id, 0, "list.size()") && check_conversion(id, RuleOp::Size, type);
        if (name == "startsWith") return check_text_method(id, RuleOp::StartsWith, type);
        if (name == "endsWith") return check_text_method(id, RuleOp::EndsWith, type);
        if (name == "contains") return check_text_method(id, RuleOp::Contains, type);
        if (name == "chain") return check_chain(id, type);
        if (name == "skip") return check_skip(id, type);
        std::vector<std::string_view> known;
        append_words(known, kMethods);
        return fail_at_name(id, "there is no method '" + std::string(name) + "'" + suggestion(name, known));
    }

    bool check_text_method(uint32_t id, RuleOp op, RuleType& type) {
        RuleType target, part;
        if (!arity(id, 1, "text." + std::string(node(id).name) + "(part)")) return false;
        if (!check(child(id, 0), target) || !check(child(id, 1), part)) return false;
        if (!is_string(target)) {
            std::string hint = target.kind == Types::List && op == RuleOp::Contains ? "; write x in list" : "";
            return fail(child(id, 0), "expected a string, found " + type_text(target) + hint);
        }
        if (!is_string(part)) return fail(child(id, 1), "expected a string, found " + type_text(part));
        node(id).op = op;
        return finish(id, kBoolType, type);
    }

    bool check_chain(uint32_t id, RuleType& type) {
        RuleType target, count;
        if (!arity(id, 1, "args[0].chain(3)") || !check(child(id, 0), target) || !check(child(id, 1), count))
            return false;
        if (target.kind != Types::Node) return fail(child(id, 0), "expected an expression, found " + type_text(target));
        if (!is_int(count)) return fail(child(id, 1), "expected an integer, found " + type_text(count));
        node(id).op = RuleOp::Chain;
        RuleType list = list_of(Types::String);
        list.vocabulary = RuleVocabulary::Op;
        return finish(id, list, type);
    }

    bool check_skip(uint32_t id, RuleType& type) {
        RuleType target, list;
        if (!arity(id, 1, "args[0].skip(['cast'])") || !check(child(id, 0), target) || !check(child(id, 1), list))
            return false;
        if (target.kind != Types::Node) return fail(child(id, 0), "expected an expression, found " + type_text(target));
        if (list.kind != Types::List || (list.element != Types::String && list.element != Types::Dynamic))
            return fail(child(id, 1), "expected a list of operators' names, found " + type_text(list));
        if (!check_vocabulary(RuleVocabulary::Op, child(id, 1))) return false;
        node(id).op = RuleOp::Skip;
        return finish(id, kNodeType, type);
    }

    bool check_loop(uint32_t id, RuleOp op, RuleType& type) {
        if (!arity(id, 2, "list." + std::string(node(id).name) + "(x, condition)")) return false;
        uint32_t list = child(id, 0), variable = child(id, 1), body = child(id, 2);
        RuleType target, condition;
        if (!check(list, target)) return false;
        if (!is_list(target)) return fail(list, "expected a list, found " + type_text(target));
        if (node(variable).op != RuleOp::Identifier) return fail(variable, "expected the name of a variable");
        if (locals_.size() == kRuleLocals) return fail(id, "loops are nested too deeply");
        RuleType element{target.kind == Types::List ? target.element : Types::Dynamic};
        if (target.element == Types::String) element.vocabulary = target.vocabulary;
        uint32_t slot = uint32_t(locals_.size());
        locals_.emplace_back(node(variable).name, element);
        program_.locals = std::max(program_.locals, slot + 1);
        bool good = check(body, condition);
        locals_.pop_back();
        if (!good) return false;
        if (!is_bool(condition)) return fail(body, "expected true or false, found " + type_text(condition));
        node(id).op = op;
        node(id).slot = slot;
        set_children(id, {list, body});
        return finish(id, kBoolType, type);
    }

    RuleProgram& program_;
    std::vector<std::pair<std::string_view, RuleType>> locals_;
    Diagnostic failure_;
};

}  // namespace

Status check_rule(RuleProgram& program) { return Checker(program).check(); }

std::span<const RuleWord> rule_names() { return kNames; }

std::span<const RuleWord> rule_fields() {
    static const std::vector<RuleWord> words = [] {
        std::vector<RuleWord> all;
        for (const FieldRecord& record : kFieldRecords) all.push_back(record.word);
        all.insert(all.end(), std::begin(kWays), std::end(kWays));
        return all;
    }();
    return words;
}

std::span<const RuleWord> rule_methods() { return kMethods; }
std::span<const RuleWord> rule_functions() { return kFunctions; }

}  // namespace partita
