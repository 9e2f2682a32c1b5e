// Quantized arithmetic, expressed in integers and floats.
#include <algorithm>
#include <cmath>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"
#include "engine/frontends/onnx/window.h"

namespace partita::onnx {

using Exprs = std::vector<ExprId>;

ExprId along_axis(NodeContext& n, ExprId vector, int64_t axis, int64_t rank) {
    Integers shape = n.build.static_shape(vector);
    if (shape.empty() || element_count(shape) == 1) return n.build.reshape(vector, {});
    if (shape.size() != 1) return vector;
    Integers spread(size_t(std::max<int64_t>(rank - axis, 1)), 1);
    spread[0] = shape[0];
    return n.build.reshape(vector, spread);
}

namespace {

/// Returns a scale or zero point that broadcasts over data: with block_size (opset 21) each of its values stands for so
/// many along the axis.
ExprId spread_scale(NodeContext& n, ExprId values, int64_t axis, const Integers& shape) {
    const int64_t block = n.integer("block_size", 0), rank = int64_t(shape.size());
    if (block == 0) return along_axis(n, values, axis, rank);
    const Integers blocks = n.build.static_shape(values);
    if (block < 0 || axis >= rank || int64_t(blocks.size()) != rank || blocks[size_t(axis)] > shape[size_t(axis)])
        throw Fault{"block_size does not fit the data and its scales", {}};
    const ExprId all = n.build.call("repeat", {values}, {{"repeats", int(block)}, {"axis", int(axis)}});
    return n.build.slice(all, axis, 0, shape[size_t(axis)]);
}

/// The axis of a quantization.
int64_t quantized_axis(NodeContext& n, int64_t rank) {
    return rank ? n.axis(n.integer("axis", 1), std::max<int64_t>(rank, 2)) : 0;
}

struct Range {
    double low, high;
};

Range range_of(DataType dtype) {
    if (dtype.is_integer() && dtype.bits <= 32 && !dtype.is_bool()) {
        const double numbers = std::ldexp(1.0, dtype.bits);
        return dtype.code == DataType::Code::UInt ? Range{0, numbers - 1} : Range{-numbers / 2, numbers / 2 - 1};
    }
    throw Fault{"quantization to " + dtype.to_string() + " is not supported", {}};
}

}  // namespace

ExprId saturated(NodeContext& n, ExprId x, ExprId zero_point, DataType dtype) {
    if (dtype.is_narrow_float()) return n.build.cast(x, dtype);  // its zero point is 0, it has no integers to round to
    ExprId shifted = round_half_even(n.build, x);
    if (zero_point.valid()) shifted = n.build.add(shifted, n.build.cast(zero_point, n.build.dtype(x)));
    Range range = range_of(dtype);
    shifted = n.build.call(
        "maximum", {like(n, shifted, range.low), n.build.call("minimum", {like(n, shifted, range.high), shifted})});
    return n.build.cast(shifted, dtype);
}

ExprId centred(NodeContext& n, ExprId x, ExprId zero_point) {
    ExprId wide = n.build.cast(x, kInt32);
    return zero_point.valid() ? n.build.subtract(wide, n.build.cast(zero_point, kInt32)) : wide;
}

ExprId real_of(NodeContext& n, ExprId x, ExprId scale, ExprId zero_point) {
    if (zero_point.valid()) zero_point = n.build.reshape(zero_point, {});
    return n.build.multiply(n.build.cast(centred(n, x, zero_point), kFloat32), n.build.reshape(scale, {}));
}

Exprs dynamically_quantized(NodeContext& n, ExprId x) {
    auto extreme = [&](const char* reduce, const char* with_zero) {
        ExprId value = n.build.call(reduce, {x}, {{"keepdims", false}, {"exclude", false}});
        return n.build.call(with_zero, {like(n, x, 0), value});
    };
    ExprId low = extreme("min", "minimum"), high = extreme("max", "maximum");
    // Of zeros alone the scale is 1, as in ONNX Runtime.
    ExprId scale = n.build.call("where", {n.build.call("equal", {low, high}), like(n, x, 1),
                                          n.build.divide(n.build.subtract(high, low), like(n, x, 255))});
    ExprId zero = n.build.divide(n.build.subtract(like(n, x, 0), low), scale);
    ExprId zero_point = saturated(n, zero, {}, kUInt8);
    return {saturated(n, n.build.divide(x, scale), zero_point, kUInt8), scale, zero_point};
}

ExprId real_product(NodeContext& n, ExprId a, ExprId a_zero, ExprId b, ExprId b_zero, ExprId factor) {
    const ExprId product = matrix_product(n.build, centred(n, a, a_zero), centred(n, b, b_zero));
    return n.build.multiply(n.build.cast(product, kFloat32), factor);
}

namespace {

/// The type of the scale is that of the division, unless an attribute of opset 23 says another.
Exprs quantize_linear(NodeContext& n) {
    const int64_t precision = n.integer("precision", 0);
    const DataType wide = precision ? data_type_of(int32_t(precision)) : n.build.dtype(n.input(1));
    ExprId x = n.build.cast(n.input(0), wide);
    const Integers shape = n.build.static_shape(x);
    const int64_t axis = quantized_axis(n, int64_t(shape.size()));
    ExprId scale = n.build.cast(spread_scale(n, n.input(1), axis, shape), wide);
    ExprId zero_point = n.has(2) ? spread_scale(n, n.input(2), axis, shape) : ExprId();
    const int64_t wanted = n.integer("output_dtype", 0);  // opset 21
    const DataType without_zero = wanted ? data_type_of(int32_t(wanted)) : kUInt8;
    return {saturated(n, n.build.divide(x, scale), zero_point, n.has(2) ? n.build.dtype(n.input(2)) : without_zero)};
}

Exprs dequantize_linear(NodeContext& n) {
    ExprId x = n.input(0);
    const Integers shape = n.build.static_shape(x);
    const int64_t axis = quantized_axis(n, int64_t(shape.size()));
    const ExprId scale = spread_scale(n, n.input(1), axis, shape);
    const DataType wide = n.build.dtype(scale);
    if (n.build.dtype(x).is_narrow_float()) return {n.build.multiply(n.build.cast(x, wide), scale)};
    ExprId zero_point = n.has(2) ? spread_scale(n, n.input(2), axis, shape) : ExprId();
    return {n.build.multiply(n.build.cast(centred(n, x, zero_point), wide), scale)};
}

Exprs dynamic_quantize_linear(NodeContext& n) { return dynamically_quantized(n, n.input(0)); }

Exprs mat_mul_integer(NodeContext& n) {
    ExprId a_zero = n.optional_input(2), b_zero = n.optional_input(3);
    if (a_zero.valid() && n.build.rank(a_zero) == 1 && n.build.static_shape(a_zero)[0] > 1) {
        const int64_t column[] = {n.build.static_shape(a_zero)[0], 1};
        a_zero = n.build.reshape(a_zero, column);
    }
    return {matrix_product(n.build, centred(n, n.input(0), a_zero), centred(n, n.input(1), b_zero))};
}

Exprs qlinear_mat_mul(NodeContext& n) {
    // a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point
    ExprId product = matrix_product(n.build, centred(n, n.input(0), n.input(2)), centred(n, n.input(3), n.input(5)));
    const auto scale = [&](size_t index) { return n.build.cast(n.input(index), kFloat32); };
    ExprId factor = n.build.divide(n.build.multiply(scale(1), scale(4)), scale(6));
    return {
        saturated(n, n.build.multiply(n.build.cast(product, kFloat32), factor), n.input(7), n.build.dtype(n.input(7)))};
}

/// Returns a convolution of int32 data; attributes as for Conv.
ExprId integer_convolution(NodeContext& n, ExprId x, ExprId w) {
    const Integers weight = n.build.static_shape(w), data = n.build.static_shape(x);
    if (weight.size() < 3) throw Fault{"the weight must have at least one spatial dimension", {}};
    if (data.size() != weight.size()) throw Fault{"the data must have as many dimensions as the weight", {}};
    const Window window = window_of(n, {weight.begin() + 2, weight.end()}, std::span(data).subspan(2));
    return n.build.call(with_rank("nn.conv", window.rank()), {x, w},
                        {{"strides", integer_attribute(window.strides)},
                         {"padding", integer_attribute(window.pads)},
                         {"dilation", integer_attribute(window.dilations)},
                         {"groups", int(n.integer("group", 1))},
                         {"channels", int(weight[0])},
                         {"kernel_size", integer_attribute(window.kernel)},
                         {"out_dtype", kInt32}});
}

Exprs conv_integer(NodeContext& n) {
    ExprId w_zero = n.has(3) ? along_axis(n, n.input(3), 0, n.build.rank(n.input(1))) : ExprId();
    return {integer_convolution(n, centred(n, n.input(0), n.optional_input(2)), centred(n, n.input(1), w_zero))};
}

Exprs qlinear_conv(NodeContext& n) {
    // x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, B
    const int64_t rank = n.build.rank(n.input(3));
    ExprId w_zero = along_axis(n, n.input(5), 0, rank);
    ExprId y = integer_convolution(n, centred(n, n.input(0), n.input(2)), centred(n, n.input(3), w_zero));
    if (n.has(8)) y = n.build.add(y, along_axis(n, n.input(8), 1, rank));
    ExprId factor = n.build.divide(n.build.multiply(n.input(1), along_axis(n, n.input(4), 1, rank)), n.input(6));
    return {saturated(n, n.build.multiply(n.build.cast(y, kFloat32), factor), n.input(7), n.build.dtype(n.input(7)))};
}

// --- com.microsoft ----------------------------------------------------------------------------------------------

ExprId with_bias(NodeContext& n, ExprId y, size_t bias) { return n.has(bias) ? n.build.add(y, n.input(bias)) : y; }

Exprs mat_mul_integer_to_float(NodeContext& n) {
    // A, B, a_scale, b_scale, a_zero_point, b_zero_point, bias
    const ExprId y = real_product(n, n.input(0), n.optional_input(4), n.input(1), n.optional_input(5),
                                  n.build.multiply(n.input(2), n.input(3)));
    return {with_bias(n, y, 6)};
}

Exprs dynamic_quantize_mat_mul(NodeContext& n) {
    // A, B, b_scale, b_zero_point, bias
    const Exprs a = dynamically_quantized(n, n.input(0));
    const ExprId y = real_product(n, a[0], a[2], n.input(1), n.optional_input(3), n.build.multiply(a[1], n.input(2)));
    return {with_bias(n, y, 4)};
}

Exprs mat_mul_integer_16(NodeContext& n) {
    return {matrix_product(n.build, n.build.cast(n.input(0), kInt32), n.build.cast(n.input(1), kInt32))};
}

Exprs quantized_gemm(NodeContext& n) {
    // A, a_scale, a_zero_point, B, b_scale, b_zero_point, C, y_scale, y_zero_point
    const bool b_swapped = n.integer("transB", 0);
    ExprId a = centred(n, n.input(0), n.input(2));
    ExprId b = centred(n, n.input(3), along_axis(n, n.input(5), b_swapped ? 0 : 1, 2));
    const int64_t swapped[] = {1, 0};
    if (n.integer("transA", 0)) a = n.build.transpose(a, swapped);
    if (b_swapped) b = n.build.transpose(b, swapped);
    ExprId sum = matrix_product(n.build, a, b);
    if (n.has(6)) sum = n.build.add(sum, n.input(6));
    const ExprId factor = scaled(n, n.build.multiply(n.input(1), n.input(4)), n.real("alpha", 1));
    const ExprId y = n.build.multiply(n.build.cast(sum, kFloat32), factor);
    if (!n.has(7)) return {y};
    const ExprId zero = n.optional_input(8);
    return {saturated(n, n.build.divide(y, n.input(7)), zero, zero.valid() ? n.build.dtype(zero) : kUInt8)};
}

const ConverterEntry kQuantizationConverters[] = {
    {"ConvInteger", conv_integer},
    {"DequantizeLinear", dequantize_linear},
    {"DynamicQuantizeLinear", dynamic_quantize_linear},
    {"MatMulInteger", mat_mul_integer},
    {"QLinearConv", qlinear_conv},
    {"QLinearMatMul", qlinear_mat_mul},
    {"QuantizeLinear", quantize_linear},
};

/// Those of the same name are ONNX's, for more types.
const ConverterEntry kRuntimeQuantizationConverters[] = {
    {"DequantizeLinear", dequantize_linear},
    {"DynamicQuantizeMatMul", dynamic_quantize_mat_mul},
    {"MatMulInteger16", mat_mul_integer_16},
    {"MatMulIntegerToFloat", mat_mul_integer_to_float},
    {"QGemm", quantized_gemm},
    {"QLinearConv", qlinear_conv},
    {"QuantizeLinear", quantize_linear},
};

}  // namespace

std::span<const ConverterEntry> quantization_converters() { return kQuantizationConverters; }
std::span<const ConverterEntry> runtime_quantization_converters() { return kRuntimeQuantizationConverters; }

}  // namespace partita::onnx
