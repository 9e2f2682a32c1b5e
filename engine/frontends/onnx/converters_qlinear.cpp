// Operators of com.microsoft on quantized data, as ONNX Runtime's quantizer writes them (docs/ContribOperators.md).
#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

ExprId real_input(NodeContext& n, size_t first) {
    return real_of(n, n.input(first), n.input(first + 1), n.optional_input(first + 2));
}

/// The reverse, rounded and kept in range; `scale` and `zero_point` are inputs.
ExprId quantized(NodeContext& n, ExprId y, size_t scale, size_t zero_point, DataType dtype) {
    const ExprId zero = n.has(zero_point) ? n.build.reshape(n.input(zero_point), {}) : ExprId();
    return saturated(n, n.build.divide(y, n.build.reshape(n.input(scale), {})), zero, dtype);
}

/// Of operators with two quantized inputs: each with scale and zero point, then those of the output.
Exprs quantized_binary(NodeContext& n, const char* op) {
    const ExprId y = n.build.call(op, {real_input(n, 0), real_input(n, 3)});
    return {quantized(n, y, 6, 7, n.build.dtype(n.input(0)))};
}
Exprs qlinear_add(NodeContext& n) { return quantized_binary(n, "add"); }
Exprs qlinear_mul(NodeContext& n) { return quantized_binary(n, "multiply"); }

Exprs qlinear_sigmoid(NodeContext& n) {
    const ExprId y = n.build.call("sigmoid", {real_input(n, 0)});
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

Exprs qlinear_leaky_relu(NodeContext& n) {
    const ExprId y = n.build.call("nn.leaky_relu", {real_input(n, 0)}, {{"alpha", n.real("alpha", 0.01)}});
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

Exprs qlinear_global_average_pool(NodeContext& n) {
    const ExprId x = real_input(n, 0);
    const bool last = n.integer("channels_last", 0);
    Integers axes;
    for (int64_t i = last ? 1 : 2; i < n.build.rank(x) - (last ? 1 : 0); ++i) axes.push_back(i);
    const ExprId y =
        n.build.call("mean", {x}, {{"axis", integer_attribute(axes)}, {"keepdims", true}, {"exclude", false}});
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

Exprs qlinear_reduce_mean(NodeContext& n) {
    const ExprId x = real_input(n, 0);
    Integers axes = n.integers("axes");
    for (int64_t& axis : axes) axis = n.axis(axis, n.build.rank(x));
    const ExprId y = n.build.call(
        "mean", {x},
        {{"axis", integer_attribute(axes)}, {"keepdims", n.integer("keepdims", 1) != 0}, {"exclude", false}});
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

Exprs qlinear_softmax(NodeContext& n) {
    const ExprId x = real_input(n, 0);
    const Integers shape = n.build.static_shape(x);
    const int64_t axis = n.axis(n.integer("axis", -1), int64_t(shape.size()));
    ExprId y;
    if (n.integer("opset", 13) >= 13) {
        y = n.build.call("nn.softmax", {x}, {{"axis", int(axis)}});
    } else {  // over all axes from this one on
        const int64_t flat[] = {element_count(std::span(shape).first(size_t(axis))).value_or(0), -1};
        y = n.build.reshape(n.build.call("nn.softmax", {n.build.reshape(x, flat)}, {{"axis", 1}}), shape);
    }
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

Exprs qlinear_where(NodeContext& n) {
    // condition, X, x_scale, x_zero_point, Y, y_scale, y_zero_point, z_scale, z_zero_point
    const ExprId z = n.build.call("where", {n.input(0), real_input(n, 1), real_input(n, 4)});
    return {quantized(n, z, 7, 8, n.build.dtype(n.input(1)))};
}

/// Moves the axis of channels from the last place to the second, or back.
ExprId channels_moved(NodeContext& n, ExprId x, bool to_second) {
    const int64_t rank = n.build.rank(x);
    Integers axes{0};
    if (to_second) axes.push_back(rank - 1);
    for (int64_t i = to_second ? 1 : 2; i < rank - (to_second ? 1 : 0); ++i) axes.push_back(i);
    if (!to_second) axes.push_back(1);
    return n.build.transpose(x, axes);
}

/// A pooling of ONNX over data whose channels may be last.
ExprId pooled(NodeContext& n, const char* op, ExprId x, bool channels_last) {
    if (channels_last) x = channels_moved(n, x, true);
    NodeContext inner = n.with_inputs({x});
    const ExprId y = find_converter("", op)(inner)[0];
    return channels_last ? channels_moved(n, y, false) : y;
}

Exprs qlinear_average_pool(NodeContext& n) {
    const ExprId y = pooled(n, "AveragePool", real_input(n, 0), n.integer("channels_last", 0));
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

Exprs nhwc_max_pool(NodeContext& n) { return {pooled(n, "MaxPool", n.input(0), true)}; }

/// Inputs: the output's scale and zero point, then each part with its own.
Exprs qlinear_concat(NodeContext& n) {
    Exprs parts;
    for (size_t i = 2; i + 2 < n.input_count(); i += 3) parts.push_back(real_input(n, i));
    if (parts.empty()) throw Fault{"it has no parts", {}};
    const int64_t axis = n.axis(n.integer("axis", 0), n.build.rank(parts[0]));
    return {quantized(n, n.build.concatenate(parts, axis), 0, 1, n.build.dtype(n.input(2)))};
}

const ConverterEntry kRuntimeQlinearConverters[] = {
    {"NhwcMaxPool", nhwc_max_pool},
    {"QLinearAdd", qlinear_add},
    {"QLinearAveragePool", qlinear_average_pool},
    {"QLinearConcat", qlinear_concat},
    {"QLinearGlobalAveragePool", qlinear_global_average_pool},
    {"QLinearLeakyRelu", qlinear_leaky_relu},
    {"QLinearMul", qlinear_mul},
    {"QLinearReduceMean", qlinear_reduce_mean},
    {"QLinearSigmoid", qlinear_sigmoid},
    {"QLinearSoftmax", qlinear_softmax},
    {"QLinearWhere", qlinear_where},
};

}  // namespace

std::span<const ConverterEntry> runtime_qlinear_converters() { return kRuntimeQlinearConverters; }

}  // namespace partita::onnx
