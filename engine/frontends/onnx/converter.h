// The interface of functions that convert one kind of ONNX node. Each family has a file with a table; a new converter
// is a function and a line in that table.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/onnx/builder.h"
#include "engine/frontends/onnx/model.h"

namespace partita::onnx {

/// Counts a constant of a node or a subgraph, which may be converted many times. Throws Fault if there are too many.
void hold_repeated(Builder& build, const TensorProto& proto, const Tensor& value);

/// A node to convert: its inputs as expressions, its attributes with the defaults of its operator set.
class NodeContext {
public:
    /// Converts a subgraph (of If, Loop, Scan) for given inputs, and returns its outputs.
    using ConvertGraph = std::function<std::vector<ExprId>(const Graph&, std::span<const ExprId>)>;

    NodeContext(Builder& builder, const Node& node, std::vector<ExprId> inputs, int64_t opset,
                const ExternalData& external, ConvertGraph convert_graph)
        : build(builder), node_(node), inputs_(std::move(inputs)), opset_(opset), external_(external),
          convert_graph_(std::move(convert_graph)), read_(std::make_shared<std::vector<bool>>(node.attributes.size())) {
    }

    /// The same node with other inputs.
    NodeContext with_inputs(std::vector<ExprId> inputs) const {
        NodeContext other = *this;
        other.inputs_ = std::move(inputs);
        return other;
    }

    Builder& build;

    const Node& node() const { return node_; }
    int64_t opset() const { return opset_; }
    size_t input_count() const { return inputs_.size(); }
    size_t output_count() const { return node_.outputs.size(); }
    bool wants_output(size_t index) const { return index < node_.outputs.size() && !node_.outputs[index].empty(); }
    bool has(size_t index) const { return index < inputs_.size() && inputs_[index].valid(); }
    /// Returns an input. Throws Fault if it was omitted.
    ExprId input(size_t index) const;
    /// Returns an input, invalid if it was omitted.
    ExprId optional_input(size_t index) const { return has(index) ? inputs_[index] : ExprId(); }
    /// Returns all inputs; omitted ones are invalid.
    const std::vector<ExprId>& inputs() const { return inputs_; }
    /// Returns the value of an input that must be known during the import (a shape, axes, ...). Throws Fault if it is
    /// not.
    const Tensor& known(size_t index) const;
    Integers known_integers(size_t index) const;
    /// Returns such a value that must be one number: an integer, or any.
    int64_t known_integer(size_t index) const;
    double known_number(size_t index) const;

    bool has_attribute(std::string_view name) const { return find(name) != nullptr; }
    int64_t integer(std::string_view name, int64_t fallback) const;
    double real(std::string_view name, double fallback) const;
    std::string string(std::string_view name, std::string_view fallback) const;
    /// Returns an attribute that is one of the known words; the first if it was omitted. Throws Fault for others.
    std::string choice(std::string_view name, std::initializer_list<std::string_view> known) const;
    Integers integers(std::string_view name, Integers fallback = {}) const;
    std::vector<double> reals(std::string_view name) const;
    std::vector<std::string> strings(std::string_view name) const;
    Tensor tensor(std::string_view name) const;
    const Graph& graph(std::string_view name) const;
    std::vector<ExprId> convert(const Graph& graph, std::span<const ExprId> inputs) const {
        return convert_graph_(graph, inputs);
    }

    /// Returns the name of an attribute that nobody has asked for and that may change the results; "" if there is none.
    std::string_view unread_attribute() const;

    /// Returns an axis counted from the front. Throws Fault if it is out of range.
    int64_t axis(int64_t value, int64_t rank) const;

private:
    /// Returns an attribute, null if it was omitted, and remembers that it was asked for.
    const Attribute* find(std::string_view name) const;
    /// The same. Throws Fault if it has another type.
    const Attribute* attribute(std::string_view name, AttributeType type) const;

    const Node& node_;
    std::vector<ExprId> inputs_;
    int64_t opset_;
    const ExternalData& external_;
    ConvertGraph convert_graph_;
    std::shared_ptr<std::vector<bool>> read_;  ///< by attribute; also what with_inputs() read
};

/// Returns an expression for each output; may omit trailing outputs that nothing can use.
using Converter = std::vector<ExprId> (*)(NodeContext& node);

struct ConverterEntry {
    std::string_view op_type;
    Converter convert;
};

std::span<const ConverterEntry> math_converters();
std::span<const ConverterEntry> cast_converters();
std::span<const ConverterEntry> nn_converters();
std::span<const ConverterEntry> tensor_converters();
std::span<const ConverterEntry> recurrent_converters();
std::span<const ConverterEntry> quantization_converters();
std::span<const ConverterEntry> control_converters();
std::span<const ConverterEntry> resize_converters();
std::span<const ConverterEntry> loss_converters();
std::span<const ConverterEntry> sample_converters();
std::span<const ConverterEntry> signal_converters();
std::span<const ConverterEntry> sequence_converters();
std::span<const ConverterEntry> text_converters();
std::span<const ConverterEntry> attention_converters();
std::span<const ConverterEntry> fused_converters();
/// Of the domain com.microsoft.
std::span<const ConverterEntry> runtime_attention_converters();
std::span<const ConverterEntry> runtime_fused_converters();
std::span<const ConverterEntry> runtime_quantization_converters();
std::span<const ConverterEntry> runtime_qlinear_converters();
std::span<const ConverterEntry> runtime_packed_weight_converters();
std::span<const ConverterEntry> runtime_tensor_converters();
std::span<const ConverterEntry> runtime_expert_converters();
std::span<const ConverterEntry> runtime_linear_attention_converters();
std::span<const ConverterEntry> runtime_recurrent_converters();

/// Returns the operators that have converters, in unspecified order: "Conv", "com.microsoft.FusedConv".
std::vector<std::string> convertible_operators();
/// Returns the converter of an operator; null if there is none. `domain` is "" or "ai.onnx" for ONNX's own, or
/// "com.microsoft".
Converter find_converter(std::string_view domain, std::string_view op_type);

}  // namespace partita::onnx
