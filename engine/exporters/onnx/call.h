// The interface of functions that write one kind of Relay call as ONNX nodes. Each family of operators has a file with
// a table; a new writer is a function and a line in that table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exporters/onnx/graph.h"
#include "engine/ops/op.h"

namespace partita::onnx_export {

/// The names of an expression's values in the graph: one, or those of a tuple's tensors in order.
using Names = std::vector<std::string>;
using NodeAttributes = std::vector<NodeAttribute>;

inline bool is_byte(DataType dtype) { return dtype == kInt8 || dtype == kUInt8; }

/// The names of expressions in the graph being written.
class ValueNames {
public:
    virtual ~ValueNames() = default;
    virtual const Names& names_of(ExprId expr) = 0;
    /// Returns the number of uses of an expression in the function being written.
    virtual size_t uses(ExprId expr) const = 0;
};

/// A call to write: the names and types of its arguments, its attributes, and the nodes it becomes.
class Call {
public:
    Call(Graph& graph, ValueNames& values, const Module& module, ExprId call, std::string label);

    const Module& module() const { return module_; }
    ExprId expr() const { return call_; }
    const AttributesView& attributes() const { return attributes_; }

    size_t argument_count() const { return module_.arguments(call_).size(); }
    ExprId argument(size_t index) const { return module_.arguments(call_)[index]; }
    /// Returns the value of an expression that is a tensor.
    std::string value_of(ExprId expr) const;
    std::string in(size_t index) const { return value_of(argument(index)); }
    /// Returns the values of an argument that is a tuple.
    const Names& fields(size_t index) const;
    size_t uses(ExprId expr) const { return values_.uses(expr); }
    /// Returns the value of a constant argument; null for others.
    const Tensor* constant(size_t index) const { return constant_of(argument(index)); }
    const Tensor* constant_of(ExprId expr) const;
    /// Returns the arguments of `expr` if it calls that op; else nothing.
    std::span<const ExprId> arguments_if(ExprId expr, std::string_view op) const;

    // Shapes must be static, otherwise the call cannot be written.
    std::vector<int64_t> shape_of(ExprId expr) const;
    DataType dtype_of(ExprId expr) const;
    std::vector<int64_t> shape(size_t index) const { return shape_of(argument(index)); }
    int64_t rank(size_t index) const { return int64_t(shape(index).size()); }
    DataType dtype(size_t index) const { return dtype_of(argument(index)); }
    std::vector<int64_t> result_shape() const { return shape_of(call_); }
    DataType result_dtype() const { return dtype_of(call_); }
    /// Returns an axis attribute, counted from the front.
    int64_t axis(std::string_view name, int64_t rank) const;
    std::vector<int64_t> axes(std::string_view name, int64_t rank) const;

    /// Adds a node with one result, or with several.
    std::string node(std::string_view op_type, Names inputs, NodeAttributes attributes = {});
    Names nodes(std::string_view op_type, Names inputs, size_t results, NodeAttributes attributes = {},
                std::string_view domain = {}, int64_t version = 1);

    /// A node that came from a file: in the types that it had there.
    Names nodes_as_given(std::string_view op_type, Names inputs, size_t results, NodeAttributes attributes,
                         std::string_view domain, int64_t version);

    std::string constant_value(const Tensor& value);
    std::string integers(std::span<const int64_t> values);  ///< int64, of rank 1
    std::string scalar(double value, DataType dtype);
    std::string filled(const std::vector<int64_t>& shape, double value, DataType dtype);

    // Short forms. They return the value itself if nothing would change.
    std::string cast(std::string value, DataType from, DataType to);
    std::string transpose(std::string value, const std::vector<int64_t>& axes);
    /// Returns the position in `from` of each letter of `to`. Refuses where a letter is missing or an axis is blocked.
    std::vector<int64_t> order_of(std::string_view from, std::string_view to) const;
    std::string to_layout(std::string value, std::string_view from, std::string_view to) {
        return transpose(std::move(value), order_of(from, to));
    }
    std::string reshape(std::string value, const std::vector<int64_t>& shape);
    std::string binary(std::string_view op_type, std::string a, std::string b) {
        return node(op_type, {std::move(a), std::move(b)});
    }

    [[noreturn]] void refuse(const std::string& reason) const;
    /// Refuses a first operand of integers: most of ONNX's functions of real numbers take floating-point numbers only.
    void require_floats() const {
        if (!dtype(0).is_float()) refuse("ONNX has it of floating-point numbers only");
    }

private:
    Names nodes_in_known_type(std::string_view op_type, Names inputs, size_t results, NodeAttributes attributes);

    Graph& graph_;
    ValueNames& values_;
    const Module& module_;
    ExprId call_;
    std::string label_;
    AttributesView attributes_;
};

using CallWriter = Names (*)(Call& call);

struct CallWriterEntry {
    std::string_view op;
    CallWriter write;
};

std::span<const CallWriterEntry> math_call_writers();
std::span<const CallWriterEntry> nn_call_writers();
std::span<const CallWriterEntry> spatial_call_writers();
std::span<const CallWriterEntry> tensor_call_writers();
std::span<const CallWriterEntry> quantized_call_writers();

/// Returns the writer for an op; null if ONNX has no known counterpart.
CallWriter find_call_writer(std::string_view op);

}  // namespace partita::onnx_export
