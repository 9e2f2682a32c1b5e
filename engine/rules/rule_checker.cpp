// Part of the checker: operators, functions and methods, with the types of their operands and results.
#include "engine/rules/rule_checker.h"

#include <algorithm>
#include <array>

namespace partita {

namespace {

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

bool is_number(Types kind) { return kind == Types::Int || kind == Types::Double; }

bool comparable(const RuleType& a, const RuleType& b) {
    if ((a.no_string && b.kind == Types::String) || (b.no_string && a.kind == Types::String)) return false;
    if (a.kind == Types::Dynamic || b.kind == Types::Dynamic) return true;
    if (a.kind == Types::Null) return b.nullable || b.kind == Types::Null;
    if (b.kind == Types::Null) return a.nullable;
    if (is_number(a.kind) && is_number(b.kind)) return true;
    if (a.kind != b.kind || a.kind == Types::Attributes || a.kind == Types::Function) return false;
    if (a.kind != Types::List) return true;
    RuleType element_a{a.element}, element_b{b.element};
    return comparable(element_a, element_b);
}

}  // namespace

std::string type_text(const RuleType& type) {
    if (type.no_string) return "a number or a list";
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

Status RuleChecker::check(bool any_value) {
    RuleType type;
    if (!check(program_.root, type)) return failure_;
    if (!any_value && !is_bool(type)) {
        fail(program_.root, "a rule is true or false; this is " + type_text(type));
        return failure_;
    }
    return Nothing();
}

bool RuleChecker::check(uint32_t id, RuleType& type) {
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

bool RuleChecker::check_constant(uint32_t id, RuleType& type) {
    switch (program_.constants[node(id).slot].tag) {
        case RuleValue::Tag::Bool: return finish(id, kBoolType, type);
        case RuleValue::Tag::Int: return finish(id, kIntType, type);
        case RuleValue::Tag::Double: return finish(id, kDoubleType, type);
        case RuleValue::Tag::String: return finish(id, kStringType, type);
        default: return finish(id, {Types::Null}, type);
    }
}

bool RuleChecker::check_logic(uint32_t id, RuleType& type) {
    for (uint32_t i = 0; i < node(id).child_count; ++i) {
        RuleType operand;
        if (!check(child(id, i), operand)) return false;
        if (!is_bool(operand)) return fail(child(id, i), "expected true or false, found " + type_text(operand));
    }
    return finish(id, kBoolType, type);
}

bool RuleChecker::check_negate(uint32_t id, RuleType& type) {
    RuleType operand;
    if (!check(child(id, 0), operand)) return false;
    if (!is_number(operand.kind) && operand.kind != Types::Dynamic)
        return fail(child(id, 0), "expected a number, found " + type_text(operand));
    return finish(id, operand.kind == Types::Dynamic ? kDynamicType : RuleType{operand.kind}, type);
}

bool RuleChecker::check_conditional(uint32_t id, RuleType& type) {
    RuleType condition, left, right;
    if (!check(child(id, 0), condition) || !check(child(id, 1), left) || !check(child(id, 2), right)) return false;
    if (!is_bool(condition)) return fail(child(id, 0), "expected true or false, found " + type_text(condition));
    if (!comparable(left, right))
        return fail(child(id, 2), "both results of ?: have to be of one type: this is " + type_text(right) +
                                      ", the other " + type_text(left));
    return finish(id, left.kind == right.kind ? left : kDynamicType, type);
}

bool RuleChecker::check_comparison(uint32_t id, RuleType& type) {
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

bool RuleChecker::check_in(uint32_t id, RuleType& type) {
    RuleType left, right;
    if (!check(child(id, 0), left) || !check(child(id, 1), right)) return false;
    if (right.kind == Types::String)
        return fail(child(id, 1), "'in' needs a list; for a string write text.contains(part)");
    if (!is_list(right)) return fail(child(id, 1), "expected a list, found " + type_text(right));
    RuleType element{right.kind == Types::List ? right.element : Types::Dynamic};
    if (!comparable(left, element)) return fail(child(id, 0), type_text(left) + " is never in " + type_text(right));
    if (!check_vocabulary(left.vocabulary, child(id, 1))) return false;
    return finish(id, kBoolType, type);
}

bool RuleChecker::check_arithmetic(uint32_t id, RuleType& type) {
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
        return fail(
            child(id, 1),
            "can't calculate with " + type_text(left) + " and " + type_text(right) +
                (is_number(left.kind) && is_number(right.kind) ? "; convert one with double(...) or int(...)" : ""));
    if (node(id).op == RuleOp::Modulo && left.kind == Types::Double) return fail(child(id, 0), "'%' is for integers");
    return finish(id, {left.kind}, type);
}

bool RuleChecker::check_list(uint32_t id, RuleType& type) {
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

bool RuleChecker::arity(uint32_t id, uint32_t wanted, std::string_view form) {
    uint32_t given = node(id).child_count - (node(id).is_method ? 1 : 0);
    if (given == wanted) return true;
    return fail_at_name(id, "'" + std::string(node(id).name) + "' takes " + std::to_string(wanted) +
                                (wanted == 1 ? " argument" : " arguments") + ", found " + std::to_string(given) +
                                ": write " + std::string(form));
}

bool RuleChecker::check_function(uint32_t id, RuleType& type) {
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
        append_words(known, rule_functions());
        for (const RuleWord& word : rule_methods())
            if (word.word == name) return fail(id, "write it after a value: " + std::string(word.help));
        return fail(id, "there is no function '" + std::string(name) + "'" + suggestion(name, known));
    }
    if (!arity(id, 1, record->form)) return false;
    return check_conversion(id, record->op, type);
}

bool RuleChecker::check_conversion(uint32_t id, RuleOp op, RuleType& type) {
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

bool RuleChecker::check_has(uint32_t id, RuleType& type) {
    if (!arity(id, 1, "has(attrs.name)")) return false;
    RuleType operand;
    bool selection = node(child(id, 0)).op == RuleOp::Select || node(child(id, 0)).op == RuleOp::Index;
    if (!selection) return fail(child(id, 0), "has() needs a field: write has(attrs.name)");
    if (!check(child(id, 0), operand)) return false;
    node(id).op = RuleOp::Has;
    return finish(id, kBoolType, type);
}

bool RuleChecker::check_method(uint32_t id, RuleType& type) {
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
    append_words(known, rule_methods());
    return fail_at_name(id, "there is no method '" + std::string(name) + "'" + suggestion(name, known));
}

bool RuleChecker::check_text_method(uint32_t id, RuleOp op, RuleType& type) {
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

bool RuleChecker::check_chain(uint32_t id, RuleType& type) {
    RuleType target, count;
    if (!arity(id, 1, "args[0].chain(3)") || !check(child(id, 0), target) || !check(child(id, 1), count)) return false;
    if (target.kind != Types::Node) return fail(child(id, 0), "expected an expression, found " + type_text(target));
    if (!is_int(count)) return fail(child(id, 1), "expected an integer, found " + type_text(count));
    node(id).op = RuleOp::Chain;
    RuleType list = list_of(Types::String);
    list.vocabulary = RuleVocabulary::Op;
    return finish(id, list, type);
}

bool RuleChecker::check_skip(uint32_t id, RuleType& type) {
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

bool RuleChecker::check_loop(uint32_t id, RuleOp op, RuleType& type) {
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

Status check_rule(RuleProgram& program, bool any_value) { return RuleChecker(program).check(any_value); }

}  // namespace partita
