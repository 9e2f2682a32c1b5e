// An exported program as its JSON states it: schema 1 to 8 of torch/_export/serde/schema.py, also as ExecuTorch's
// ETRecord holds it (schema 5). What stands in a union is kept as it is, so that operators and kinds of arguments that
// nobody knows are shown.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/data_type.h"
#include "engine/support/diagnostic.h"
#include "engine/support/json_reader.h"

namespace partita::torch {

/// Ends the reading of a file.
struct Refused {
    std::string message;
};

/// The size of a dimension, or the value of a symbolic number: a number, or an expression of symbols.
struct Size {
    int64_t value = 0;       ///< of a number; negative: unknown
    std::string expression;  ///< "": a number
    std::optional<int64_t> hint;
};

struct TensorMeta {
    std::string name;  ///< of the element type, as torch calls it
    DataType dtype;    ///< void where tensors here have no such type
    std::vector<Size> sizes;
};

/// A member of the union of arguments.
struct Argument {
    std::string_view tag;  ///< without "as_": "tensor", "ints", ...
    const JsonValue* value = nullptr;

    bool is(std::string_view wanted) const { return tag == wanted; }
};

struct NamedArgument {
    std::string_view name;  ///< in the operator's schema; "" for higher-order operators
    Argument argument;
};

struct Graph;

struct Node {
    std::string name, target;
    std::vector<NamedArgument> inputs;
    std::vector<Argument> outputs;
    std::string_view written;  ///< its arguments, as the file writes them
    std::vector<std::pair<std::string_view, std::string_view>> metadata;
    std::vector<std::shared_ptr<const Graph>> graphs;  ///< of its arguments, in order
    bool returns_tuple = false;                        ///< a tuple even if it has one output

    std::string_view meta(std::string_view key) const;
    /// The names that its outputs define.
    std::vector<std::string_view> results() const;
};

struct Graph {
    std::string name;
    std::vector<Argument> inputs, outputs;
    std::vector<Node> nodes;
    std::unordered_map<std::string_view, TensorMeta> tensors;
    std::unordered_map<std::string_view, Size> numbers;  ///< symbolic ones
};

/// What an input of the graph is: a kind of the signature.
struct InputSpec {
    std::string_view kind;  ///< "user_input", "parameter", "buffer", "tensor_constant", ...
    std::string_view name;  ///< of the parameter, buffer or constant
};

struct Program {
    std::string text;  ///< the JSON, in which values have their places
    JsonValue json;
    Graph graph;
    std::vector<InputSpec> inputs;  ///< by input of the graph
    std::vector<Argument> outputs;  ///< of the user: without mutations
    std::map<std::string, std::pair<std::optional<int64_t>, std::optional<int64_t>>> ranges;  ///< of symbols
    std::string schema;                                                                       ///< "8.20"
    std::vector<std::string> warnings;
};

/// Reads the JSON of a program. `of_executorch` says whose numbers its element types have. Refuses, with the names of
/// the places, what is no program: a union with two members, values that nothing or two nodes define, nodes out of
/// order.
Result<std::unique_ptr<const Program>> read_program(std::string text, bool of_executorch);

/// The names of the values that an argument uses, in order, also several times.
std::vector<std::string_view> names_in(const Argument& argument);

/// A whole number; the nearest there is where it is larger than any.
int64_t whole(const JsonValue& value);
/// A number, also one that is written as "Infinity", "-Infinity" or "NaN".
std::optional<double> real(const JsonValue& value);

/// Returns the element type of a number of torch's schema; its name is "dtype 999" where nobody knows it.
TensorMeta element_type(int64_t number, bool of_executorch);
/// Reads a TensorMeta, with strides and offset where they are wanted.
struct Layout {
    std::vector<Size> strides;
    Size offset;
};
TensorMeta tensor_meta(const JsonValue& json, bool of_executorch, Layout* layout = nullptr);

/// Reads JSON as Python writes it: NaN and infinities are texts then, a byte order mark is left out.
Result<JsonValue> read_python_json(std::string& text);

}  // namespace partita::torch
