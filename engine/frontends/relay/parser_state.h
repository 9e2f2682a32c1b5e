// The parser of Relay text: the module under construction, the lexer, and the scopes of names. Recursive descent whose
// depth is the nesting of brackets, which is bounded; statements are read in loops. Its parts: parse_module.cpp,
// parse_expression.cpp, parse_call.cpp, parse_type.cpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/frontends/relay/lexer.h"
#include "engine/frontends/relay/metadata.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/scopes.h"
#include "engine/frontends/relay/syntax_error.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"

namespace partita::relay {

class Parser {
public:
    Parser(std::string_view text, const RelayParseOptions& options);
    /// Throws SyntaxError.
    Module parse();

private:
    // parse_module.cpp
    void check_is_text() const;
    void parse_version();
    void parse_definition();
    void parse_lone_expression();
    void check_uses_of_functions();
    void note(Severity severity, SourcePosition position, std::string message);

    // parse_expression.cpp: the contents of braces or parentheses, down to atoms
    ExprId parse_body();
    ExprId parse_block();
    void parse_binding();
    void parse_let();
    void parse_free_variable();
    ExprId close_lets(size_t first, ExprId body);
    ExprId parse_infix();
    ExprId parse_infix_after(ExprId left, SourcePosition begin);
    ExprId parse_operand();
    ExprId parse_atom();
    ExprId parse_number();
    ExprId parse_local();
    ExprId parse_temporary();
    void check_scope(ExprId value, const Token& use);
    ExprId parse_parenthesized();
    ExprId parse_if();
    ExprId parse_reference(TokenKind kind);
    ExprId parse_function(SourcePosition position);
    ExprId parse_parameter(size_t first_expression);
    void parse_function_attributes(FunctionInfo& info);
    ExprId parse_meta_constant();
    ExprId constant_without_section(SourcePosition place);
    [[noreturn]] void fail_unbound(const Token& token);

    // parse_call.cpp: calls of operators and functions, attributes
    ExprId parse_operator_call();
    ExprId parse_foreign_call(const Token& name);
    void parse_foreign_attributes(ForeignCall& call);
    TypeId parse_stated_type();
    ExprId behind_unknown(const OpRecord& record, AttributesId attributes, std::span<const ExprId> arguments);
    bool is_unknown(ExprId id) const;
    ExprId parse_call(ExprId callee, SourcePosition position);
    [[noreturn]] void fail_unknown_operator(const Token& name);
    TypeId unknown_type();
    void parse_arguments(const OpRecord* record, OpId op, AttributesId& attributes, ForeignCall* foreign = nullptr);
    AttributesId parse_attributes(const OpRecord& record, OpId op);
    AttributesId parse_meta_attributes(const OpRecord& record, OpId op);
    AttributesId attributes_of_section(const OpRecord& record, uint32_t node);
    AttributesId attributes_without_section(const OpRecord& record, OpId op, const Token& reference);
    void tell_lack_of_compiler() const {
        if (options_.lacks_compiler) *options_.lacks_compiler = true;
    }
    AttributesId default_attributes(const OpRecord& record, OpId op, SourcePosition position);
    AttributeValue parse_attribute_value();
    AttributeValue parse_attribute_list(TokenKind close);
    AttributeValue section_field(const AttributeField& field, std::string_view text, SourcePosition place);
    void check_arity(const OpRecord& record, size_t count, SourcePosition position);
    void check_required(const OpRecord& record, const AttributeList& values, const std::vector<bool>& given,
                        SourcePosition position);

    // parse_type.cpp
    TypeId parse_type();
    TypeId parse_named_type();
    TypeId parse_tensor_type();
    DataType parse_dtype();
    std::vector<int64_t> parse_shape();
    std::vector<TypeId> parse_type_list();

    // Small steps.
    const Token& token() const { return lexer_.token(); }
    TokenKind kind() const { return lexer_.token().kind; }
    void advance() { lexer_.advance(); }
    bool take(TokenKind wanted) {
        if (kind() != wanted) return false;
        advance();
        return true;
    }
    void expect(TokenKind wanted, const char* where);
    [[noreturn]] void fail_expected(const std::string& expected, const char* where);
    ExprId at(SourcePosition position, ExprId id) {
        module_.set_position(id, position);
        return id;
    }
    void check_cancelled();

    /// Counts nested brackets during its lifetime.
    class Nesting {
    public:
        explicit Nesting(Parser& parser) : depth_(parser.depth_) {
            if (++depth_ > kDeepestNesting)
                fail(parser.token().position, "brackets nest deeper than " + std::to_string(kDeepestNesting) +
                                                  ": bind the inner expressions to temporaries such as `%0 = ...;`");
        }
        ~Nesting() { --depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        int& depth_;
    };

    struct PendingLet {
        ExprId variable, value;
        SourcePosition position;
    };
    struct FunctionUse {
        NameId name;
        SourcePosition position;
    };
    /// The text of a call's attributes, which many calls of an op often share.
    struct AttributesText {
        uint32_t op;
        std::string_view text;
        bool operator==(const AttributesText&) const = default;
    };
    struct AttributesTextHash {
        size_t operator()(const AttributesText& key) const {
            return std::hash<std::string_view>()(key.text) * 31 + key.op;
        }
    };

    /// Attributes that were read before.
    struct KnownAttributes {
        std::vector<AttributesId> defaults;  ///< by OpId
        std::unordered_map<AttributesText, AttributesId, AttributesTextHash> by_text;
        std::unordered_map<AttributesText, AttributesId, AttributesTextHash> marks;  ///< by op and compiler
    };
    /// Constants that were read before.
    struct KnownConstants {
        std::unordered_map<uint64_t, ConstantId> literals;
        std::unordered_map<uint32_t, ExprId> of_section;     ///< by node, or by index if there is no section
        std::unordered_map<uint32_t, ConstantId> by_tensor;  ///< by index in the section
        int64_t placeholder_bytes = 0;
    };

    std::string_view text_;
    const RelayParseOptions& options_;
    Lexer lexer_;
    Metadata metadata_;
    Module module_;
    VariableScopes variables_;
    Temporaries temporaries_;
    int depth_ = 0;
    uint32_t statements_ = 0;

    std::vector<PendingLet> lets_;  ///< a stack, shared by nested bodies
    std::vector<ExprId> operands_;  ///< a stack, shared by nested calls
    std::vector<ExprId> free_variables_;
    std::unordered_map<NameId, ExprId> free_by_name_;
    std::vector<FunctionUse> function_uses_;  ///< the first use of each global function
    std::vector<ExprId> calls_of_functions_;
    std::unordered_map<NameId, SourcePosition> defined_;
    std::unordered_set<ExprId> unknown_;  ///< values whose types nobody states
    size_t scope_checks_ = 0;             ///< expressions that check_scope has visited
    KnownConstants constants_;
    KnownAttributes attributes_;
};

}  // namespace partita::relay
