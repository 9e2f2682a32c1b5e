// A node of a program while it is converted: its arguments by the names of the operator's schema, where those that the
// file leaves out have the value that the converter gives as default, and the types that the file states for results.
//
// Much of what ATen's operators do ONNX's do too: Call::onnx() converts as a node of ONNX is.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/frontends/onnx/builder.h"
#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/torch/program.h"
#include "engine/frontends/torch/sizes.h"

namespace partita::torch {

using onnx::Builder;
using onnx::Fault;
using onnx::Integers;
using Exprs = std::vector<ExprId>;

/// What the values of a graph are: tensors, or numbers that are known (symbolic ones too, once their sizes are).
struct Scope {
    std::unordered_map<std::string_view, ExprId> tensors;
    std::unordered_map<std::string_view, int64_t> numbers;
    const std::unordered_map<std::string_view, TensorMeta>* types = nullptr;
};

using OnnxAttribute = std::pair<std::string_view, std::variant<int64_t, double, std::string_view, Integers>>;

class Call {
public:
    Call(Builder& builder, const Node& node, const Scope& scope, const SymbolValues& symbols,
         const std::unordered_set<std::string_view>& used, bool of_executorch)
        : build(builder), node(node), scope_(scope), symbols_(symbols), used_(used), of_executorch_(of_executorch) {}

    Builder& build;
    const Node& node;

    bool has(std::string_view name) const;  ///< given, and not None
    bool is_tensor(std::string_view name) const;
    ExprId tensor(std::string_view name) const;
    ExprId optional_tensor(std::string_view name) const;  ///< invalid if it is left out or None
    /// Of a list; invalid where one is None.
    Exprs tensors(std::string_view name) const;
    /// A tensor or a number, in an element type.
    ExprId operand(std::string_view name, DataType dtype) const;
    int64_t integer(std::string_view name, int64_t fallback) const;
    /// A list, or one number as a list of one.
    Integers integers(std::string_view name, Integers fallback = {}) const;
    /// The same, where one number stands for as many as there are axes.
    Integers spread(std::string_view name, size_t count, int64_t fallback) const;
    double real(std::string_view name, double fallback) const;
    std::vector<double> reals(std::string_view name) const;
    bool flag(std::string_view name, bool fallback) const { return integer(name, fallback) != 0; }
    std::string_view text(std::string_view name, std::string_view fallback) const;
    DataType dtype(std::string_view name, DataType fallback) const;
    /// An axis counted from the front.
    int64_t axis(std::string_view name, int64_t fallback, int64_t rank) const;

    /// How many results there are, and what the file says of one. Throws Fault if it does not say so.
    size_t result_count() const { return results_.size(); }
    bool wants(size_t result) const { return result < results_.size() && used_.contains(results_[result]); }
    DataType result_dtype(size_t result = 0) const;
    Integers result_shape(size_t result = 0) const;

    /// Returns what a node of ONNX becomes. Invalid inputs are left out.
    Exprs onnx(std::string_view op, Exprs inputs, std::initializer_list<OnnxAttribute> attributes = {},
               size_t outputs = 1) const;
    ExprId one(std::string_view op, Exprs inputs, std::initializer_list<OnnxAttribute> attributes = {}) const {
        return onnx(op, std::move(inputs), attributes)[0];
    }
    /// For functions that want a node of ONNX and only build by it.
    onnx::NodeContext context() const;

    /// The type in which operands meet that the named arguments are: bool < int < float; one without dimensions, or a
    /// number, counts by its category only.
    DataType promoted(std::initializer_list<std::string_view> names) const;

    ExprId filled(double value, DataType dtype, const Integers& shape) const;

private:
    const Argument* find(std::string_view name) const;
    const Argument& need(std::string_view name) const;
    int64_t number(const JsonValue& value) const;
    const TensorMeta& meta(size_t result) const;

    const Scope& scope_;
    const SymbolValues& symbols_;
    const std::unordered_set<std::string_view>& used_;
    bool of_executorch_;
    std::vector<std::string_view> results_ = node.results();
};

/// Returns an expression for each result; may leave out the last ones.
using Converter = Exprs (*)(Call& call);
struct ConverterEntry {
    std::string_view op;  ///< "aten.add", or with an overload: "aten.max.dim"
    Converter convert;
};
std::span<const ConverterEntry> math_converters();
std::span<const ConverterEntry> layer_converters();
std::span<const ConverterEntry> tensor_converters();

/// Returns null if there is none. `target` is as in the file: "torch.ops.aten.add.Tensor",
/// "executorch.exir.dialects.edge.ops.aten.add.Tensor".
Converter find_converter(std::string_view target);

}  // namespace partita::torch
