// An ONNX graph or function body under construction: nodes in topological order, constants, names. Writing it drops
// what is unused.
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

/// The operator set written, and the IR version with functions: ONNX 1.12.
inline constexpr int64_t kOperatorSet = 17, kIrVersion = 8;

/// The reason why a module cannot be written as ONNX. Thrown inside this folder only.
struct Refusal {
    std::string message;
};

using AttributeData =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, Tensor, Message /* a GraphProto */>;
struct NodeAttribute {
    std::string_view name;
    AttributeData data;
};

/// A node of a subgraph whose operator is not ONNX's own.
struct InnerNode {
    std::string op_type, domain;
    ExprId origin;
    int64_t version = 1;
};

struct Node {
    std::string op_type, domain, name;
    std::vector<std::string> inputs, outputs;  ///< "" for an omitted one
    std::vector<NodeAttribute> attributes;
    std::vector<std::string> captured;  ///< values used by its subgraphs
    ExprId origin;                      ///< the expression it was made for
    int64_t version = 1;                ///< of the operator set, where `domain` is not ONNX's own
    std::vector<InnerNode> inner = {};  ///< of its subgraphs
};

struct Value {
    std::string name;
    TypeId type;
};

/// Returns the TensorProto.DataType. Refusal if ONNX has no such element type.
int32_t onnx_type(DataType dtype);
Message value_info(const Value& value, const TypeTable& types);

class Graph {
public:
    /// `is_function`: constants become nodes, because functions have no initializers.
    explicit Graph(bool is_function) : is_function_(is_function) {}
    /// A subgraph: its names are none of the graph around it, where its constants lie.
    explicit Graph(Graph* outer) : is_function_(outer->is_function_), outer_(outer) {}

    /// Returns an unused value name based on a hint.
    std::string fresh(std::string_view hint) { return outer_ ? outer_->fresh(hint) : value_names_.fresh(hint); }
    /// Returns an unused node name. Nodes and values have separate names.
    std::string fresh_node(std::string_view hint) {
        return outer_ ? outer_->fresh_node(hint) : node_names_.fresh(hint);
    }
    void add_input(Value input) { inputs_.push_back(std::move(input)); }
    const std::vector<Value>& inputs() const { return inputs_; }
    void add(Node node) {
        if (!node.origin.valid()) node.origin = origin_;
        nodes_.push_back(std::move(node));
    }
    /// Sets the expression that subsequent nodes are made for.
    void set_origin(ExprId origin) { origin_ = origin; }
    /// Adds a constant and returns its name.
    std::string constant(const Tensor& value, std::string_view hint);
    /// Adds a constant and returns its name; small ones of equal value share a name.
    std::string shared_constant(const Tensor& value, std::string_view hint);
    /// The element types of values as far as they are known; void for others.
    void note_dtype(const std::string& value, DataType dtype) { dtypes_[value] = dtype; }
    DataType dtype_of(const std::string& value) const {
        auto it = dtypes_.find(value);
        return it == dtypes_.end() ? DataType() : it->second;
    }
    void note_type(const std::string& value, TypeId type) { types_.push_back({value, type}); }

    /// Sets the results and their names in the file, which no other value has. Adds an Identity for a result that is an
    /// input of another name, a constant, or repeated.
    void set_outputs(const std::vector<Value>& values, const std::vector<std::string>& names);
    /// Sets the results and keeps their names.
    void keep_outputs(std::vector<Value> outputs) { outputs_ = std::move(outputs); }
    const std::vector<Value>& outputs() const { return outputs_; }

    void drop_unused();
    /// Returns the values that a subgraph takes from outside.
    std::vector<std::string> captured() const;
    /// Returns those of its nodes, and of their subgraphs, that are not ONNX's own.
    std::vector<InnerNode> foreign_nodes() const;
    const std::vector<Node>& nodes() const { return nodes_; }
    /// Returns the operator sets of the nodes, without ONNX's own: names and versions.
    std::map<std::string, int64_t> domains() const;
    const std::vector<Value>& types() const { return types_; }
    bool is_constant(const std::string& value) const { return constant_index_.contains(value); }
    /// Returns a graph of the given nodes, in order, with the constants that they use.
    Graph part(std::span<const size_t> nodes, std::vector<Value> inputs, std::vector<Value> outputs) const;

    /// Returns a GraphProto. Large constants go into `external` if it is given.
    Message graph_message(std::string_view name, const TypeTable& types, ExternalFile* external = nullptr);
    /// Returns a FunctionProto.
    Message function_message(std::string_view name, std::string_view domain, std::string_view text,
                             ExternalFile* external = nullptr);

private:
    /// Generates unique names of one kind.
    class UniqueNames {
    public:
        std::string fresh(std::string_view hint);

    private:
        std::unordered_set<std::string> taken_;
        std::unordered_map<std::string, int> next_number_;
    };

    bool is_function_;
    Graph* outer_ = nullptr;
    std::vector<Value> inputs_, outputs_, types_;
    std::vector<Node> nodes_;
    std::vector<std::pair<std::string, Tensor>> constants_;
    std::map<std::string, std::string> small_constants_;  ///< by type, shape and bytes
    UniqueNames value_names_, node_names_;
    std::unordered_map<std::string, size_t> constant_index_;
    std::unordered_map<std::string, DataType> dtypes_;
    ExprId origin_;
};

/// Returns an OperatorSetIdProto.
Message operator_set(std::string_view domain, int64_t version);

}  // namespace partita::onnx_export
