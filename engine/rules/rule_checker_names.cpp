// Part of the checker: names, fields, attributes, elements, and the vocabularies of text literals.
#include <algorithm>

#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/rules/rule_checker.h"

namespace partita {

namespace {

RuleType attribute_type(const AttributeField& field) {
    RuleType type;
    switch (field.kind) {
        case AttributeKind::Int: type = kIntType; break;
        case AttributeKind::Bool: type = kBoolType; break;
        case AttributeKind::Double: type = kDoubleType; break;
        case AttributeKind::String: type = kStringType; break;
        case AttributeKind::DType: type = kDTypeType; break;
        case AttributeKind::IntegerList: type = list_of(Types::Int); break;
        case AttributeKind::Object:
            type = kDynamicType;
            type.no_string = true;
            break;
    }
    type.nullable = field.default_value.is_none() && !field.required;
    return type;
}

/// Returns whether op names begin with this name's part up to its first dot; not so for a composite's name.
bool in_op_namespace(std::string_view name) {
    size_t dot = name.find('.');
    if (dot == std::string_view::npos) return true;
    for (const OpRecord& op : op_registry().records())
        if (op.name.starts_with(name.substr(0, dot + 1))) return true;
    return false;
}

}  // namespace

bool RuleChecker::check_identifier(uint32_t id, RuleType& type) {
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
    const auto field = [&](RuleField of_call, const RuleType& found) {
        node(id).op = RuleOp::Field;
        node(id).slot = uint32_t(of_call);
        return finish(id, found, type);
    };
    if (name == "flops") return field(RuleField::Flops, kDoubleType);
    if (name == "name") return field(RuleField::Name, kStringType);
    if (name == "scope") return field(RuleField::Scope, list_of(Types::String));
    return fail_unknown_name(id);
}

bool RuleChecker::fail_unknown_name(uint32_t id) {
    std::string_view name = node(id).name;
    std::vector<std::string_view> known;
    append_words(known, rule_names());
    for (const RuleName& bound : program_.context.names) known.push_back(bound.name);
    for (const auto& [local, _] : locals_) known.push_back(local);
    std::string hint = suggestion(name, known);
    const OpRecord* op = program_.context.op;
    if (name == "block" || name == "layer") hint = "; name a block by its scope: 'layer.3' in scope";
    if (op && op->attribute_index(name) >= 0) hint = "; did you mean 'attrs." + std::string(name) + "'?";
    return fail(id, "there is no '" + std::string(name) + "'" + hint);
}

bool RuleChecker::check_select(uint32_t id, RuleType& type) {
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

bool RuleChecker::check_field(uint32_t id, const RuleType& target, RuleType& type) {
    std::string_view name = node(id).name;
    for (const FieldRecord& record : rule_field_records()) {
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
    append_words(known, rule_fields());
    return fail_at_name(id, "an expression has no '" + std::string(name) + "'" + suggestion(name, known));
}

bool RuleChecker::check_attribute(uint32_t id, uint32_t target, std::string_view name, const RuleType& target_type,
                                  RuleType& type) {
    const OpRecord* op = target_type.op;
    if (!op || op->foreign) {
        if (!op && !known_anywhere(name)) return fail_unknown_attribute(id, name);
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

bool RuleChecker::fail_unknown_attribute(uint32_t id, std::string_view name) {
    std::vector<std::string_view> known;
    for (const OpRecord& op : op_registry().records())
        for (const AttributeField& field : op.attributes) known.push_back(field.name);
    return fail_at(name_offset(id, name),
                   "no operator has an attribute '" + std::string(name) + "'" + suggestion(name, known));
}

bool RuleChecker::check_function_field(uint32_t id, const RuleType& target, RuleType& type) {
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

bool RuleChecker::check_index(uint32_t id, RuleType& type) {
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

bool RuleChecker::check_vocabulary(RuleVocabulary vocabulary, uint32_t literal) {
    const RuleValue* value = constant_of(literal);
    if (!value || vocabulary == RuleVocabulary::None) return true;
    if (value->is(RuleValue::Tag::ValueList)) {
        for (uint32_t i = 0; i < value->count; ++i)
            if (!check_word(vocabulary, literal, value->values[i])) return false;
        return true;
    }
    return check_word(vocabulary, literal, *value);
}

bool RuleChecker::check_word(RuleVocabulary vocabulary, uint32_t literal, const RuleValue& value) {
    if (!value.is(RuleValue::Tag::String)) return true;
    std::string_view word = value.text();
    if (word.empty()) return true;
    if (vocabulary == RuleVocabulary::DType) {
        if (DataType::parse(word)) return true;
        return fail(literal, "there is no dtype '" + std::string(word) + "'" + dtype_suggestion(word));
    }
    const OpRegistry& ops = op_registry();
    if (op_named(word).valid() || !in_op_namespace(word)) return true;
    std::string_view near = ops.nearest(word);
    return fail(literal, "there is no operator '" + std::string(word) + "'" +
                             (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
}

}  // namespace partita
