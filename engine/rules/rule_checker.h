// Names and types of a rule: turns the parsed tree into one whose names are all resolved to slots, or reports errors
// with suggestions. Included only by the two files of the checker.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/ops/registry.h"
#include "engine/rules/rule_program.h"
#include "engine/support/spelling.h"

namespace partita {

using Types = RuleTypeKind;

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

/// Returns the fields of an expression (rule_words.cpp).
std::span<const FieldRecord> rule_field_records();
/// Returns "a list of integers", for people.
std::string type_text(const RuleType& type);

/// Recursion is as deep as the tree, which the parser bounds.
class RuleChecker {
public:
    explicit RuleChecker(RuleProgram& program) : program_(program) {}

    /// `any_value`: it need not be true or false.
    Status check(bool any_value);

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
    /// Reports at the name of a selection or method rather than at its target.
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

    bool check(uint32_t id, RuleType& type);
    bool check_constant(uint32_t id, RuleType& type);
    bool check_identifier(uint32_t id, RuleType& type);

    bool fail_unknown_name(uint32_t id);
    bool check_select(uint32_t id, RuleType& type);
    bool check_field(uint32_t id, const RuleType& target, RuleType& type);

    /// Checks `attrs.NAME` and `attrs['NAME']`; `target` is the node that gives the attributes.
    bool check_attribute(uint32_t id, uint32_t target, std::string_view name, const RuleType& target_type,
                         RuleType& type);

    size_t name_offset(uint32_t id, std::string_view name) {
        if (node(id).op == RuleOp::Index) return node(child(id, 1)).begin;  // of attrs['name']
        return size_t(name.data() - program_.text.data());
    }
    static bool known_anywhere(std::string_view name) {
        for (const OpRecord& op : op_registry().records())
            if (op.attribute_index(name) >= 0) return true;
        return false;
    }
    bool fail_unknown_attribute(uint32_t id, std::string_view name);

    // `function.attrs` is a function whose element kind is marked Null.
    bool check_function_field(uint32_t id, const RuleType& target, RuleType& type);

    const RuleValue* constant_of(uint32_t id) {
        return node(id).op == RuleOp::Constant ? &program_.constants[node(id).slot] : nullptr;
    }

    bool check_index(uint32_t id, RuleType& type);
    bool check_logic(uint32_t id, RuleType& type);
    bool check_negate(uint32_t id, RuleType& type);
    bool check_conditional(uint32_t id, RuleType& type);
    bool check_vocabulary(RuleVocabulary vocabulary, uint32_t literal);
    bool check_word(RuleVocabulary vocabulary, uint32_t literal, const RuleValue& value);
    bool check_comparison(uint32_t id, RuleType& type);
    bool check_in(uint32_t id, RuleType& type);
    bool check_arithmetic(uint32_t id, RuleType& type);
    bool check_list(uint32_t id, RuleType& type);
    bool arity(uint32_t id, uint32_t wanted, std::string_view form);
    bool check_function(uint32_t id, RuleType& type);
    bool check_conversion(uint32_t id, RuleOp op, RuleType& type);
    bool check_has(uint32_t id, RuleType& type);
    bool check_method(uint32_t id, RuleType& type);
    bool check_text_method(uint32_t id, RuleOp op, RuleType& type);
    bool check_chain(uint32_t id, RuleType& type);
    bool check_skip(uint32_t id, RuleType& type);
    bool check_loop(uint32_t id, RuleOp op, RuleType& type);

    RuleProgram& program_;
    std::vector<std::pair<std::string_view, RuleType>> locals_;
    Diagnostic failure_;
};

}  // namespace partita
