// The interface of functions that convert one kind of operator. Each family has a file with a table; a new converter is
// a function and a line in that table. They see real numbers: see `Numbers`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/litert/model.h"
#include "engine/frontends/onnx/builder.h"

namespace partita::litert {

using onnx::Builder;
using onnx::Fault;
using onnx::integer_attribute;
using onnx::Integers;
using Exprs = std::vector<ExprId>;

/// What a converter takes and gives where tensors are quantized.
enum class Numbers : uint8_t {
    Real,   ///< dequantized inputs; its results are quantized
    Moved,  ///< the numbers as they are where all of them are quantized alike, else as Real: it only moves numbers
    Raw,    ///< the numbers as they are: it does all by itself
};

/// An operator to convert.
class NodeContext {
public:
    NodeContext(Builder& builder, const Subgraph& subgraph, const Operator& op, Exprs inputs)
        : build(builder), subgraph_(subgraph), op_(op), inputs_(std::move(inputs)) {}

    Builder& build;

    const Operator& op() const { return op_; }
    size_t input_count() const { return inputs_.size(); }
    size_t output_count() const { return op_.outputs.size(); }
    bool has(size_t index) const { return index < inputs_.size() && inputs_[index].valid(); }
    /// Returns an input. Throws Fault if it was left out.
    ExprId input(size_t index) const;
    const Exprs& inputs() const { return inputs_; }
    void set_input(size_t index, ExprId value) { inputs_[index] = value; }

    const TensorInfo& input_info(size_t index) const;
    const TensorInfo& output_info(size_t index) const;
    bool quantized_input(size_t index) const;
    bool quantized_output(size_t index) const;
    /// Returns the integers of a constant input. Throws Fault if it is none.
    Integers known(size_t index) const;
    int64_t known_one(size_t index) const;

    /// Says what a person who compares with LiteRT must know.
    void warn(std::string text) const { warnings_.push_back(std::move(text)); }
    const std::vector<std::string>& warnings() const { return warnings_; }

    // Options: the file's value or the schema's default. Throw Fault if the operator's options are of another kind.
    bool has_option(std::string_view name) const { return find(name) != nullptr; }
    int64_t integer(std::string_view name) const;
    /// Stands for the option "padding" of an operator without options.
    void set_padding(int64_t padding) { padding_ = padding; }
    bool flag(std::string_view name) const { return integer(name) != 0; }
    double real(std::string_view name) const;
    Integers integers(std::string_view name) const;

    /// Returns an axis counted from the front. Throws Fault if it is out of range.
    int64_t axis(int64_t value, int64_t rank) const;

    // Quantization.
    ExprId scale(const TensorInfo& info) const;       ///< float32, a scalar or a vector
    ExprId zero_point(const TensorInfo& info) const;  ///< int32, of the same shape
    ExprId dequantized(ExprId value, const TensorInfo& info) const;
    ExprId quantized(ExprId value, const TensorInfo& info) const;

    /// The factors that make the result's numbers of sums of products: one, or one for each channel of the weights.
    std::vector<double> factors(const TensorInfo& x, const TensorInfo& weights, const TensorInfo& result) const;
    /// Makes the result's numbers of such sums, with channels along an axis.
    ExprId requantized(ExprId sums, const std::vector<double>& factors, int axis, bool with_16_bits) const;

    /// Adds the result's zero point to int32 numbers in its scale, and clips them to its type.
    ExprId moved_to_zero_point(ExprId numbers, const TensorInfo& result) const;

    /// Applies the operator's fused activation, if it has one, to real numbers, or to those of `info`'s quantization.
    ExprId activated(ExprId value, const TensorInfo* info = nullptr) const;
    ExprId clipped(ExprId value, double lowest, double highest) const;

private:
    const Option* find(std::string_view name) const;

    const Subgraph& subgraph_;
    const Operator& op_;
    Exprs inputs_;
    int64_t padding_ = -1;
    mutable std::vector<std::string> warnings_;
};

using Converter = Exprs (*)(NodeContext& node);

struct ConverterEntry {
    std::string_view kind;
    Converter convert;
    Numbers numbers = Numbers::Real;
    /// Asked first: gives results where LiteRT computes in bytes, else nothing. Has raw numbers.
    Converter in_bytes = nullptr;
};

std::span<const ConverterEntry> math_converters();
std::span<const ConverterEntry> layer_converters();
std::span<const ConverterEntry> shape_converters();

/// Converts an operator. Throws Fault with the reason where that can't be done.
Exprs convert(NodeContext& node);

/// Returns whether a tensor's integers stand for real numbers.
bool is_quantized(const TensorInfo& info);
/// Returns whether the same integers mean the same in both.
bool quantized_alike(const TensorInfo& a, const TensorInfo& b);

}  // namespace partita::litert
