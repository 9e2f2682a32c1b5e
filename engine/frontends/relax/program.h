// A Relax module as its text states it: functions of bindings in blocks, with names, order and types. What the passes
// of TVM read and write; a module of the engine is made from it (to_module.h).
//
// Expressions own their operands; functions are shared and not changed once they are made. Types and attributes are
// kept as texts in one form, so that equal ones have equal texts.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/tensor.h"
#include "engine/support/diagnostic.h"

namespace partita::relax {

using TypeNumber = uint32_t;
using VariableNumber = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;

/// How TVM prints: A v0.16 to v0.25, B v0.26, C behind it.
enum class Dialect : uint8_t { A, B, C };

struct Type {
    enum class Kind : uint8_t { Tensor, Shape, Tuple, Object, Prim, Callable };

    Kind kind = Kind::Object;
    bool has_dims = false;          ///< of a Tensor or Shape
    int32_t rank = -1;              ///< of one without `dims`; -1: unknown
    std::string text;               ///< Tensor, Prim: the element type; Callable: what stands in its brackets
    std::vector<std::string> dims;  ///< numbers, names, arithmetic over both; of a Prim: its value
    std::string device;
    std::vector<TypeNumber> fields;  ///< of a Tuple
};

struct Function;

struct Keyword {
    std::string name;
    std::string text;  ///< as Python writes it, with single blanks
    std::vector<TypeNumber> types;
    bool is_list = false;  ///< of `types`
};

struct Expression {
    enum class Kind : uint8_t {
        Variable,    ///< index: the variable
        Constant,    ///< index: into Program::constants
        Global,      ///< text: the name
        Operator,    ///< text: "relax.nn.conv2d"
        Tuple,       ///< operands: the fields
        Projection,  ///< operands: the tuple; index: the field
        Call,        ///< operands: what is called, then the arguments
        Text,        ///< text: a shape, number, element type, string, as it is written
        Function,    ///< functions: the local function
        If,          ///< operands: the condition; functions: both branches, without parameters
    };

    Kind kind = Kind::Text;
    uint32_t index = 0;
    std::string text;
    std::vector<Expression> operands;
    std::vector<Keyword> keywords;
    std::vector<std::shared_ptr<const Function>> functions;

    bool is(Kind wanted) const { return kind == wanted; }
    bool is_call_of(Kind callee) const { return is(Kind::Call) && operands[0].is(callee); }
};

struct Variable {
    std::string name;
    TypeNumber type = kNone;
    bool is_dataflow = false;  ///< is not seen behind its dataflow block
};

struct Binding {
    VariableNumber variable = kNone;
    Expression value;
    bool is_cast = false;  ///< a match_cast to the variable's type
    SourcePosition position;
    uint32_t source = kNone;  ///< the number of the binding of the text that this one is, or stands for
};

struct Block {
    bool is_dataflow = false;
    std::vector<Binding> bindings;
};

using Attributes = std::vector<std::pair<std::string, std::string>>;  ///< values as Python writes them

struct Function {
    std::string name;
    bool is_pure = true, is_private = false;
    std::vector<VariableNumber> parameters;
    TypeNumber result_type = kNone;
    Attributes attributes;
    std::vector<Block> blocks;
    Expression result;
    SourcePosition position;

    /// Returns the text of an attribute without quotes, or "".
    std::string_view attribute(std::string_view key) const;
};

/// A constant of the metadata, or of a scalar literal.
struct Constant {
    Tensor value;  ///< undefined if the text leaves the values out
    bool is_literal = false;
    uint32_t number = 0;  ///< in the metadata
};

struct Program {
    Dialect dialect = Dialect::A;
    std::string name = "Module";
    std::string metadata;                   ///< the JSON, "" if it is left out
    std::vector<std::string> declarations;  ///< of the module: I.module_attrs(...), NAME = R.ExternFunc(...)
    std::vector<std::pair<std::string, std::string>> prim_funcs;  ///< name and text
    std::vector<std::shared_ptr<const Function>> functions;       ///< in the order of the text
    std::vector<Variable> variables;
    std::vector<Type> types;
    std::vector<Constant> constants;
    uint32_t bindings = 0;          ///< their number; Binding::source is below it
    std::set<std::string> symbols;  ///< names of dimensions

    TypeNumber add_type(Type type);
    VariableNumber add_variable(std::string name, TypeNumber type, bool is_dataflow = false);
    const Function* find(std::string_view name) const;  ///< linear
    /// Returns the type of an expression as far as the annotations tell; kNone if they do not.
    TypeNumber type_of(const Expression& expression) const;

private:
    std::unordered_map<std::string, TypeNumber> type_numbers_;  ///< by text
};

inline std::shared_ptr<const Function> shared(Function function) {
    return std::make_shared<const Function>(std::move(function));
}

/// Returns whether an argument is numbers only: a shape, a number, a tuple of these.
bool is_value(const Expression& argument);
/// Returns a text in Python's quotes.
std::string python_quoted(std::string_view text);
/// Returns whether a dimension is a number.
bool is_number(std::string_view text);
/// Returns the names in a dimension that are symbolic: `n` of "n * 2", not `T` of "T.max(n, 1)".
std::vector<std::string> symbols_of(std::string_view dimension);

}  // namespace partita::relax
