// The inside of a compiled rule. Included only by its parser, checker, evaluator and explanation.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/rule.h"

namespace partita {

enum class RuleOp : uint8_t {
    // As parsed; the checker turns the next four into the kinds after them.
    Identifier,
    Select,
    Index,
    Call,      ///< of a function or, with `is_method`, of a method: the target is the first child
    Constant,  ///< slot: index of constants
    List,
    Not,
    Negate,
    And,  ///< any number of children, as Or
    Or,
    Conditional,
    Has,  ///< child: a selection
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    All,
    Exists,
    ExistsOne,  ///< children: list, body; slot: the variable
    // Made by the checker.
    Subject,         ///< the call
    OpName,          ///< of the child
    Attributes,      ///< of the child
    Arguments,       ///< of the child
    Users,           ///< of the child
    Bound,           ///< slot: index of RuleContext::names
    Local,           ///< slot: the variable
    Field,           ///< slot: a RuleField; child: the expression
    OwnAttribute,    ///< slot: index into the schema; of the subject
    NamedAttribute,  ///< name: looked up in the attributes of the child
    FunctionScope,
    FunctionName,
    FunctionAttribute,  ///< child 0 a string
    Element,            ///< children: list, index
    CallBytes,          ///< bytes of the arguments and the result of the subject
    Size,
    Product,
    Sum,
    Minimum,
    Maximum,
    ToInt,
    ToDouble,
    ToString,
    StartsWith,
    EndsWith,
    Contains,
    Chain,  ///< children: expression, count
    Skip,   ///< children: expression, list of op names
};

enum class RuleField : uint8_t {
    DType,
    Shape,
    Rank,
    Size,
    Bytes,
    Type,
    IsConstant,
    IsVar,
    Kind,
    Name,
    Scope,
    Value,
    Values,
    Flops,
    Index,
    Fields,
};

enum class RuleTypeKind : uint8_t { Bool, Int, Double, String, Null, Node, Attributes, Function, List, Dynamic };

/// The vocabulary of a string, to find misspelt literals.
enum class RuleVocabulary : uint8_t { None, DType, Op };

struct RuleType {
    RuleTypeKind kind = RuleTypeKind::Dynamic;
    RuleTypeKind element = RuleTypeKind::Dynamic;  ///< of a list
    bool nullable = false;
    RuleVocabulary vocabulary = RuleVocabulary::None;
    const OpRecord* op = nullptr;  ///< of a node, its attributes or its arguments, if known
    bool no_string = false;        ///< Dynamic, but a number or a list if present
};

struct RuleNode {
    RuleOp op = RuleOp::Constant;
    bool is_method = false;
    RuleType type;
    uint32_t begin = 0, end = 0;  ///< byte range in the text
    uint32_t first_child = 0, child_count = 0;
    uint32_t slot = 0;
    std::string_view name;  ///< of identifiers and selections; a view of the text
};

enum class RuleFault : uint8_t {
    None,
    WrongType,
    OutOfRange,
    NoTensor,
    DynamicShape,
    NoAttributes,
    NoSuchAttribute,
    NotMatched,
    DivisionByZero,
    Overflow,
    TooCostly,
    NoNumber,
    NoConstant,
    NoProjection,
    NoTuple,
    NoName,
    NoSuchKey,
};

/// 16 bytes; refers to memory of the module, the rule or the evaluation.
struct RuleValue {
    enum class Tag : uint8_t {
        Error,
        Null,
        Bool,
        Int,
        Double,
        String,
        Node,
        Attributes,
        Function,
        IntList,
        AttributeList,
        NodeList,
        ValueList,
    };
    Tag tag = Tag::Null;
    RuleFault fault = RuleFault::None;
    uint32_t count = 0;  ///< of a list or string; of an error: the node that caused it
    union {
        bool boolean;
        int64_t integer = 0;
        double real;
        const char* chars;
        uint32_t expr;
        const int64_t* integers;
        const AttributeValue* attributes;
        const ExprId* exprs;
        const RuleValue* values;
    };

    static RuleValue of(bool value) {
        RuleValue v;
        v.tag = Tag::Bool;
        v.boolean = value;
        return v;
    }
    static RuleValue of(int64_t value) {
        RuleValue v;
        v.tag = Tag::Int;
        v.integer = value;
        return v;
    }
    static RuleValue of(double value) {
        RuleValue v;
        v.tag = Tag::Double;
        v.real = value;
        return v;
    }
    static RuleValue of(std::string_view text) {
        RuleValue v;
        v.tag = Tag::String;
        v.count = uint32_t(text.size());
        v.chars = text.data();
        return v;
    }
    static RuleValue of(ExprId id) {
        RuleValue v;
        v.tag = Tag::Node;
        v.expr = id.value;
        return v;
    }
    static RuleValue of(std::span<const int64_t> list) {
        RuleValue v;
        v.tag = Tag::IntList;
        v.count = uint32_t(list.size());
        v.integers = list.data();
        return v;
    }
    static RuleValue of(std::span<const ExprId> list) {
        RuleValue v;
        v.tag = Tag::NodeList;
        v.count = uint32_t(list.size());
        v.exprs = list.data();
        return v;
    }
    static RuleValue of(std::span<const RuleValue> list) {
        RuleValue v;
        v.tag = Tag::ValueList;
        v.count = uint32_t(list.size());
        v.values = list.data();
        return v;
    }
    static RuleValue attribute_list(const AttributeValue* first, size_t count) {
        RuleValue v;
        v.tag = Tag::AttributeList;
        v.count = uint32_t(count);
        v.attributes = first;
        return v;
    }

    bool is(Tag wanted) const { return tag == wanted; }
    bool is_true() const { return tag == Tag::Bool && boolean; }
    bool is_false() const { return tag == Tag::Bool && !boolean; }
    bool is_list() const { return tag >= Tag::IntList; }
    bool is_number() const { return tag == Tag::Int || tag == Tag::Double; }
    std::string_view text() const { return {chars, count}; }
    ExprId id() const { return ExprId(expr); }
};

struct RuleProgram {
    std::string text;
    std::vector<RuleNode> nodes;  ///< children before parents, the root last
    std::vector<uint32_t> children;
    std::vector<RuleValue> constants;
    std::deque<std::string> strings;           ///< of string constants
    std::deque<std::vector<RuleValue>> lists;  ///< of list constants
    RuleContext context;
    uint32_t locals = 0;  ///< maximum number of variables in scope at once
    uint32_t root = 0;

    uint32_t child(const RuleNode& node, uint32_t index) const { return children[node.first_child + index]; }
    std::string_view source(const RuleNode& node) const {
        return std::string_view(text).substr(node.begin, node.end - node.begin);
    }
};

inline constexpr size_t kRuleTextBytes = 16384;
inline constexpr int kRuleDepth = 100;   ///< of the parser's recursion
inline constexpr int kRuleHeight = 250;  ///< of the tree
inline constexpr uint32_t kRuleLocals = 8;
inline constexpr uint32_t kRuleSteps = 1000000;

/// Returns the position of a byte of a text.
SourcePosition position_in_text(std::string_view text, size_t offset);

Result<std::unique_ptr<RuleProgram>> parse_rule(std::string_view text);  // rule_parser.cpp
Status check_rule(RuleProgram& program, bool any_value = false);         // rule_checker.cpp

/// One evaluation of a rule; a local variable of the caller.
class RuleEvaluator {
public:
    RuleEvaluator(const RuleProgram& program, const RuleSubject& subject)
        : program_(program), subject_(subject), module_(subject.module) {}

    RuleValue evaluate(uint32_t node);
    void flip(std::span<const RuleTerm> terms) { flipped_ = terms; }

    // For the explanation: variables of enclosing loops.
    void set_local(uint32_t slot, RuleValue value, uint32_t element) {
        locals_[slot] = value;
        elements_[slot] = element;
    }
    static RuleValue element_of(const RuleValue& list, uint32_t index);
    static bool equal(const RuleValue& a, const RuleValue& b);
    std::string to_string(const RuleValue& value) const;
    /// Returns what went wrong, for people.
    std::string describe(const RuleValue& error) const;

private:
    RuleValue compute(uint32_t node);
    static RuleValue fault(RuleFault reason, uint32_t node);
    RuleValue bound(const RuleNode& node);
    RuleValue evaluate_not(const RuleNode& node, uint32_t index);
    RuleValue evaluate_conditional(const RuleNode& node, uint32_t index);
    RuleValue evaluate_has(const RuleNode& node);
    RuleValue own_attribute(const RuleNode& node, uint32_t index);
    RuleValue part_of_call(const RuleNode& node);
    RuleValue function_name();
    RuleValue evaluate_logic(const RuleNode& node, uint32_t index, bool absorbing);
    RuleValue evaluate_tensor_field(RuleField field, ExprId expr, uint32_t index);
    ExprId subject_of(const RuleNode& node, RuleValue& failure);
    RuleValue evaluate_loop(const RuleNode& node, uint32_t index);
    RuleValue evaluate_field(const RuleNode& node, uint32_t index);
    RuleValue evaluate_relation(const RuleNode& node, uint32_t index);
    RuleValue evaluate_arithmetic(const RuleNode& node, uint32_t index);
    RuleValue evaluate_aggregate(const RuleNode& node, uint32_t index);
    RuleValue evaluate_conversion(const RuleNode& node, uint32_t index);
    RuleValue evaluate_text(const RuleNode& node, uint32_t index);
    RuleValue evaluate_chain(const RuleNode& node, uint32_t index);
    RuleValue evaluate_skip(const RuleNode& node, uint32_t index);
    RuleValue evaluate_list(const RuleNode& node);
    RuleValue evaluate_element(const RuleNode& node, uint32_t index);
    RuleValue values_of(ExprId expr, uint32_t index);
    RuleValue scope_of(ExprId expr, uint32_t index);
    RuleValue evaluate_call_bytes(uint32_t index) const;
    RuleValue attribute_named(ExprId call, const RuleNode& node, uint32_t index);
    RuleValue named_attribute(const RuleNode& node, uint32_t index);
    RuleValue function_attribute(const RuleNode& node, uint32_t index);
    RuleValue op_name(ExprId expr) const;
    RuleValue from_attribute(const AttributeValue& value, bool as_list);
    RuleValue keep(std::string text);
    RuleValue keep(std::vector<RuleValue> list);
    RuleValue dtype_name(DataType dtype);
    ModuleFacts& facts();
    const RuleTerm* flipped_term(uint32_t node) const;

    const RuleProgram& program_;
    const RuleSubject& subject_;
    const Module& module_;
    RuleValue locals_[kRuleLocals];
    uint32_t elements_[kRuleLocals] = {};
    uint32_t open_locals_ = 0;
    uint32_t steps_ = 0;
    std::span<const RuleTerm> flipped_;
    // Empty vectors allocate nothing: the typical rule needs neither.
    std::vector<std::unique_ptr<std::string>> kept_strings_;
    std::vector<std::unique_ptr<std::vector<RuleValue>>> kept_lists_;
    std::optional<ModuleFacts> own_facts_;
};

}  // namespace partita
