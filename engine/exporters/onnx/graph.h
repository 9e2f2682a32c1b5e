// An ONNX graph or function body while it is built: nodes in an order in which they can run, constants, names. What
// nothing uses is left out when it is written.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/exporters/onnx/message.h"
#include "engine/ir/module.h"

namespace partita::onnx_export {

/// The operator set that is written, and the IR version that has functions: ONNX 1.12.
inline constexpr int64_t kOperatorSet = 17, kIrVersion = 8;

/// Why a module can't be written as ONNX. Thrown inside this folder only.
struct Refusal {
    std::string message;
};

using AttributeData =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, Tensor, Message /* a GraphProto */>;
struct NodeAttribute {
    std::string_view name;
    AttributeData data;
};

struct Node {
    std::string op_type, domain, name;
    std::vector<std::string> inputs, outputs;  ///< "" stands for a left-out one
    std::vector<NodeAttribute> attributes;
    std::vector<std::string> captured;  ///< values that its subgraphs use
    ExprId origin;                      ///< the expression that it was made for
};

struct Value {
    std::string name;
    TypeId type;
};

/// TensorProto.DataType; Refusal where ONNX has no such element type.
int32_t onnx_type(DataType dtype);
Message value_info(const Value& value, const TypeTable& types);

class Graph {
public:
    /// In a function constants are nodes, for functions have no initializers.
    explicit Graph(bool is_function) : is_function_(is_function) {}

    /// A name that no value of the graph has, made from a hint.
    std::string fresh(std::string_view hint) { return value_names_.fresh(hint); }
    /// The same for nodes, whose names are apart from those of values.
    std::string fresh_node(std::string_view hint) { return node_names_.fresh(hint); }
    void add_input(Value input) { inputs_.push_back(std::move(input)); }
    const std::vector<Value>& inputs() const { return inputs_; }
    void add(Node node) {
        if (!node.origin.valid()) node.origin = origin_;
        nodes_.push_back(std::move(node));
    }
    /// The expression that nodes added from now on are made for.
    void set_origin(ExprId origin) { origin_ = origin; }
    /// The name of a new constant.
    std::string constant(const Tensor& value, std::string_view hint);
    /// The same, where small ones of equal values share a name.
    std::string shared_constant(const Tensor& value, std::string_view hint);
    void note_type(const std::string& value, TypeId type) { types_.push_back({value, type}); }

    /// The results' names in the file, which no other value has. A result that is an input of another name, a constant
    /// or there twice passes an Identity.
    void set_outputs(const std::vector<Value>& values, const std::vector<std::string>& names);
    /// Results whose names stay as they are.
    void keep_outputs(std::vector<Value> outputs) { outputs_ = std::move(outputs); }
    const std::vector<Value>& outputs() const { return outputs_; }

    void drop_unused();
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<Value>& types() const { return types_; }
    bool is_constant(const std::string& value) const { return constant_index_.contains(value); }
    /// A graph of some of these nodes, in order, with the constants that they use.
    Graph part(std::span<const size_t> nodes, std::vector<Value> inputs, std::vector<Value> outputs) const;

    /// A GraphProto. Large constants go into `external` where it is given.
    Message graph_message(std::string_view name, const TypeTable& types, ExternalFile* external = nullptr);
    /// A FunctionProto. `domains` are those of the functions that the body calls.
    Message function_message(std::string_view name, std::string_view domain, std::string_view text,
                             const std::vector<std::string>& domains, ExternalFile* external = nullptr);

private:
    /// Names of one kind, each once.
    class UniqueNames {
    public:
        std::string fresh(std::string_view hint);

    private:
        std::unordered_set<std::string> taken_;
        std::unordered_map<std::string, int> next_number_;
    };

    bool is_function_;
    std::vector<Value> inputs_, outputs_, types_;
    std::vector<Node> nodes_;
    std::vector<std::pair<std::string, Tensor>> constants_;
    std::map<std::string, std::string> small_constants_;  ///< by type, shape and bytes
    UniqueNames value_names_, node_names_;
    std::unordered_map<std::string, size_t> constant_index_;
    ExprId origin_;
};

/// An OperatorSetIdProto.
Message operator_set(std::string_view domain, int64_t version);

}  // namespace partita::onnx_export
