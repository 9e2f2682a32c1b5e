// Operators that compute element by element, or along axes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/frontends/litert/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::litert {

namespace {

/// The name of an engine's operator as a template's parameter.
template <size_t N>
struct OpName {
    constexpr OpName(const char (&text)[N]) { std::copy_n(text, N, letters); }
    char letters[N];
};

template <OpName op>
Exprs unary(NodeContext& n) {
    return {n.build.call(op.letters, {n.input(0)})};
}

template <OpName op>
Exprs binary(NodeContext& n) {
    return {n.build.call(op.letters, {n.input(0), n.input(1)})};
}

ExprId number(NodeContext& n, double value, ExprId like) { return n.build.real(value, n.build.dtype(like)); }

/// A function that LiteRT takes from a table where numbers have 16 bits.
template <OpName op>
Exprs from_a_table(NodeContext& n) {
    if (n.quantized_input(0) && n.input_info(0).type == 7)
        n.warn(
            "LiteRT's kernel for the CPU interpolates between 513 values for 16-bit numbers, which can be far off "
            "where the function is steep; here it is computed");
    return unary<op>(n);
}

/// LiteRT's table for 8-bit numbers has the least number where there is no logarithm.
Exprs logarithm(NodeContext& n) {
    const ExprId x = n.input(0), log = n.build.call("log", {x});
    if (!n.quantized_input(0)) return {log};
    const ExprId least = number(n, std::numeric_limits<float>::lowest(), x);
    return {n.build.call("where", {n.build.call("greater", {x, number(n, 0, x)}), log, least})};
}

/// The angle of (x, y) by atan(y / x), which holds to the right of the y axis.
Exprs atan2(NodeContext& n) {
    Builder& b = n.build;
    const ExprId y = n.input(0), x = n.input(1), zero = number(n, 0, x);
    const auto choose = [&](ExprId condition, ExprId then, ExprId otherwise) {
        return b.call("where", {condition, then, otherwise});
    };
    const ExprId above = b.call("greater_equal", {y, zero}), to_the_left = b.call("less", {x, zero});
    const auto with_sign = [&](double angle) { return choose(above, number(n, angle, x), number(n, -angle, x)); };
    const ExprId slope = b.call("atan", {b.call("divide", {y, x})});
    const ExprId off_axis = b.add(slope, choose(to_the_left, with_sign(M_PI), zero));
    const ExprId on_axis = choose(b.call("equal", {y, zero}), y, with_sign(M_PI / 2));
    return {choose(b.call("equal", {x, zero}), on_axis, off_axis)};
}

Exprs negative(NodeContext& n) {
    const bool is_plain = n.quantized_input(0) && quantized_alike(n.input_info(0), n.output_info(0)) &&
                          n.input_info(0).quantization.zero_points == std::vector<int64_t>{0};
    if (n.quantized_input(0) && !is_plain)
        n.warn(
            "LiteRT's kernel for the CPU negates the numbers of a quantized tensor without regard to its zero point; "
            "here what they stand for is negated");
    return {n.build.call("negative", {n.input(0)})};
}

Exprs divide(NodeContext& n) {
    if (n.quantized_input(0))
        n.warn(
            "LiteRT's kernel for the CPU can give the largest number where a quotient of quantized numbers is near 0; "
            "here it is computed as the file says");
    const bool whole = n.build.dtype(n.input(0)).is_integer();
    return {n.build.call(whole ? "trunc_divide" : "divide", {n.input(0), n.input(1)})};
}

bool is_byte(const TensorInfo& info) {
    return (info.type == 3 || info.type == 9) && info.quantization.scales.size() == 1;
}

/// Returns numbers of a byte in another scale, in the 64 bits of Relay's requantization: halves go up.
ExprId rescaled(NodeContext& n, ExprId numbers, double factor, ExprId zero, ExprId to_zero, DataType to) {
    return n.build.call("qnn.requantize",
                        {numbers, n.build.real(factor, kFloat32), zero, n.build.real(1, kFloat32), to_zero},
                        {{"rounding", "UPWARD"}, {"compute_dtype", "int64"}, {"out_dtype", to}});
}

/// The factors of a sum of bytes as XNNPACK has them (xnn_init_qs8_add_minmax_params): whole multiples of 2^-shift, the
/// larger of 21 bits. Nothing where XNNPACK would not take it.
struct ByteSum {
    double first, second;
    int shift;
};
std::optional<ByteSum> byte_sum(const NodeContext& n) {
    if (!n.has(0) || !n.has(1) || n.input_count() != 2) return {};
    const TensorInfo &a = n.input_info(0), &b = n.input_info(1), &y = n.output_info(0);
    if (!is_byte(a) || a.type != b.type || a.type != y.type || !is_byte(b) || !is_byte(y)) return {};
    const float first = a.quantization.scales[0] / y.quantization.scales[0];
    const float second = b.quantization.scales[0] / y.quantization.scales[0];
    for (float factor : {first, second})
        if (!(factor >= 0x1p-10F && factor < 0x1p8F)) return {};
    const int shift = 20 - std::ilogb(std::max(first, second));
    return ByteSum{std::nearbyint(std::ldexp(double(first), shift)), std::nearbyint(std::ldexp(double(second), shift)),
                   shift};
}

/// A sum or difference.
template <OpName op>
Exprs sum_of_bytes(NodeContext& n) {
    const std::optional<ByteSum> bytes = byte_sum(n);
    if (!bytes) return {};
    const TensorInfo &a = n.input_info(0), &b = n.input_info(1), &y = n.output_info(0);
    const ExprId none = n.build.constant(0, kInt32);
    n.scale(a), n.scale(b), n.scale(y);  // refuses what is no scale
    const ExprId sum =
        n.build.call(op.letters, {rescaled(n, n.input(0), bytes->first, n.zero_point(a), none, kInt32),
                                  rescaled(n, n.input(1), bytes->second, n.zero_point(b), none, kInt32)});
    const double unit = std::ldexp(1.0, -bytes->shift);
    return {n.activated(rescaled(n, sum, unit, none, n.zero_point(y), data_type(y.type)), &y)};
}

Exprs add_many(NodeContext& n) {
    ExprId sum = n.input(0);
    for (size_t i = 1; i < n.input_count(); ++i) sum = n.build.add(sum, n.input(i));
    return {sum};
}

Exprs square(NodeContext& n) { return {n.build.multiply(n.input(0), n.input(0))}; }

Exprs squared_difference(NodeContext& n) {
    const ExprId difference = n.build.subtract(n.input(0), n.input(1));
    return {n.build.multiply(difference, difference)};
}

Exprs round_to_even(NodeContext& n) { return {onnx::round_half_even(n.build, n.input(0))}; }

Exprs relu6(NodeContext& n) { return {n.clipped(n.input(0), 0, 6)}; }
Exprs relu_n1_to_1(NodeContext& n) { return {n.clipped(n.input(0), -1, 1)}; }
Exprs relu_0_to_1(NodeContext& n) { return {n.clipped(n.input(0), 0, 1)}; }

Exprs hard_swish(NodeContext& n) {
    const ExprId x = n.input(0);
    const ExprId gate = n.clipped(n.build.add(x, number(n, 3, x)), 0, 6);
    return {n.build.multiply(x, n.build.multiply(gate, number(n, 1.0 / 6, x)))};
}

Exprs leaky_relu(NodeContext& n) { return {n.build.call("nn.leaky_relu", {n.input(0)}, {{"alpha", n.real("alpha")}})}; }

Exprs prelu(NodeContext& n) {
    const ExprId x = n.input(0), zero = number(n, 0, x);
    const ExprId below = n.build.multiply(n.build.call("minimum", {x, zero}), n.input(1));
    return {n.build.add(n.build.call("maximum", {x, zero}), below)};
}

Exprs elu(NodeContext& n) {
    const ExprId x = n.input(0), zero = number(n, 0, x);
    const ExprId below = n.build.subtract(n.build.call("exp", {x}), number(n, 1, x));
    return {n.build.call("where", {n.build.call("greater", {x, zero}), x, below})};
}

Exprs gelu(NodeContext& n) {
    const ExprId x = n.input(0);
    Builder& b = n.build;
    ExprId gate;
    if (n.flag("approximate")) {
        const ExprId cube = b.multiply(b.multiply(x, x), b.multiply(x, number(n, 0.044715, x)));
        gate = b.call("tanh", {b.multiply(b.add(x, cube), number(n, std::sqrt(2 / M_PI), x))});
    } else gate = b.call("erf", {b.multiply(x, number(n, std::sqrt(0.5), x))});
    return {b.multiply(b.multiply(x, number(n, 0.5, x)), b.add(gate, number(n, 1, x)))};
}

Exprs softmax(NodeContext& n) {
    ExprId x = n.input(0);
    if (const double beta = n.real("beta"); beta != 1) x = n.build.multiply(x, number(n, beta, x));
    return {n.build.call("nn.softmax", {x}, {{"axis", -1}})};
}

Exprs log_softmax(NodeContext& n) { return {n.build.call("nn.log_softmax", {n.input(0)}, {{"axis", -1}})}; }

/// The axes of a reduction; all where the list is empty.
AttributeValue reduced_axes(NodeContext& n) {
    const int64_t rank = n.build.rank(n.input(0));
    std::vector<int64_t> axes = n.known(1);
    for (int64_t& axis : axes) axis = n.axis(axis, rank);
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return integer_attribute(axes);
}

template <OpName op>
Exprs reduction(NodeContext& n) {
    if (n.build.rank(n.input(0)) == 0 || n.known(1).empty()) return {n.input(0)};
    return {n.build.call(op.letters, {n.input(0)}, {{"axis", reduced_axes(n)}, {"keepdims", n.flag("keep_dims")}})};
}

Exprs product(NodeContext& n) {
    if (n.quantized_input(0))
        n.warn(
            "LiteRT's kernel for the CPU rounds a product of quantized numbers after each factor, and wraps where that "
            "is too large; here it is rounded once");
    return reduction<"prod">(n);
}

/// Sums or means of integers are summed exactly, scaled in float and rounded to even.
template <OpName op>
Exprs summing(NodeContext& n) {
    const bool integers = n.quantized_input(0) && n.quantized_output(0);
    if (n.build.rank(n.input(0)) == 0 || n.known(1).empty() || !integers) {
        if (n.quantized_input(0)) n.set_input(0, n.dequantized(n.input(0), n.input_info(0)));
        const ExprId made = reduction<op>(n)[0];
        return {n.quantized_output(0) ? n.quantized(made, n.output_info(0)) : made};
    }
    const TensorInfo &x = n.input_info(0), &result = n.output_info(0);
    n.scale(x), n.scale(result);
    if (x.quantization.scales.size() != 1) throw Fault{"its input has a scale for each channel", {}};
    const int64_t before = *element_count(n.build.static_shape(n.input(0)));
    n.set_input(0, n.build.subtract(n.build.cast(n.input(0), kInt32), n.zero_point(x)));
    const ExprId sums = reduction<"sum">(n)[0];
    const int64_t count = before / std::max<int64_t>(*element_count(n.build.static_shape(sums)), 1);
    double factor = double(x.quantization.scales[0]) / double(result.quantization.scales[0]);
    if (std::string_view(op.letters) == "mean") factor /= double(std::max<int64_t>(count, 1));
    const ExprId scaled = n.build.multiply(n.build.cast(sums, kFloat32), n.build.real(factor, kFloat32));
    return {n.moved_to_zero_point(n.build.cast(onnx::round_half_even(n.build, scaled), kInt32), result)};
}

template <OpName op>
Exprs index_of_extreme(NodeContext& n) {
    const int64_t axis = n.axis(n.known_one(1), n.build.rank(n.input(0)));
    const ExprId index = n.build.call(op.letters, {n.input(0)}, {{"axis", integer_attribute(std::span(&axis, 1))}});
    return {n.build.cast(index, data_type(n.output_info(0).type))};
}

Exprs cumulative_sum(NodeContext& n) {
    const int axis = int(n.axis(n.known_one(1), n.build.rank(n.input(0))));
    const bool backwards = n.flag("reverse");
    const auto reversed = [&](ExprId x) { return backwards ? n.build.call("reverse", {x}, {{"axis", axis}}) : x; };
    const ExprId sum =
        n.build.call("cumsum", {reversed(n.input(0))}, {{"axis", axis}, {"exclusive", n.flag("exclusive")}});
    return {reversed(sum)};
}

Exprs cast(NodeContext& n) {
    const DataType to = data_type(n.output_info(0).type);
    const ExprId x = n.input(0);
    if (to.is_bool() && !n.build.dtype(x).is_bool()) return {n.build.call("not_equal", {x, number(n, 0, x)})};
    return {n.build.cast(x, to)};
}

/// XNNPACK changes scales of bytes by multiples of 1/256, within limits (xnn_create_convert_nc_qs8,
/// _leaky_relu_nc_qs8). Returns the factor; 0 where it would not take it.
double factor_of_bytes(NodeContext& n, double slope = 1) {
    const TensorInfo &x = n.input_info(0), &y = n.output_info(0);
    if (x.type != y.type || !is_byte(x) || !is_byte(y)) return 0;
    n.scale(x), n.scale(y);  // refuses what is no scale
    const float ratio = x.quantization.scales[0] / y.quantization.scales[0], factor = ratio * float(slope);
    const auto is_taken = [](float each) { return each >= 0x1p-8F && each <= 0x1p7F; };
    return is_taken(ratio) && is_taken(factor) ? std::nearbyint(256 * factor) / 256 : 0;
}

ExprId other_bytes(NodeContext& n, double factor) {
    const TensorInfo &x = n.input_info(0), &y = n.output_info(0);
    return rescaled(n, n.input(0), factor, n.zero_point(x), n.zero_point(y), data_type(y.type));
}

/// Each side of zero has a factor of its own.
Exprs leaky_bytes(NodeContext& n) {
    const double above = factor_of_bytes(n), below = factor_of_bytes(n, n.real("alpha"));
    if (above == 0 || below == 0) return {};
    const ExprId is_below = n.build.call("less", {n.build.cast(n.input(0), kInt32), n.zero_point(n.input_info(0))});
    return {n.build.call("where", {is_below, other_bytes(n, below), other_bytes(n, above)})};
}

Exprs quantized_bytes(NodeContext& n) {
    const double factor = factor_of_bytes(n);
    return factor == 0 ? Exprs() : Exprs{other_bytes(n, factor)};
}

Exprs quantize(NodeContext& n) {
    ExprId x = n.input(0);
    if (!n.build.dtype(x).is_float()) x = n.dequantized(x, n.input_info(0));
    if (n.output_info(0).quantization.scales.empty()) throw Fault{"its result has no scale", {}};
    return {n.quantized(n.build.cast(x, kFloat32), n.output_info(0))};
}

Exprs dequantize(NodeContext& n) {
    const ExprId x = n.input(0);
    if (n.build.dtype(x).is_float()) return {n.build.cast(x, data_type(n.output_info(0).type))};
    if (n.input_info(0).quantization.scales.empty()) throw Fault{"its input has no scale", {}};
    return {n.dequantized(x, n.input_info(0))};
}

Exprs densify(NodeContext& n) { return {n.input(0)}; }

Exprs select(NodeContext& n) {
    ExprId condition = n.input(0);
    const int64_t rank = n.build.rank(n.input(1));
    // A condition of rank 1 chooses rows.
    if (n.op().kind == "SELECT" && n.build.rank(condition) == 1 && rank > 1) {
        Integers shape(size_t(rank), 1);
        shape[0] = n.build.shape(condition)[0];
        condition = n.build.reshape(condition, shape);
    }
    return {n.build.call("where", {condition, n.input(1), n.input(2)})};
}

}  // namespace

std::span<const ConverterEntry> math_converters() {
    using enum Numbers;
    static const ConverterEntry kTable[] = {
        {"ABS", unary<"abs">},
        {"ADD", binary<"add">, Real, sum_of_bytes<"add">},
        {"ADD_N", add_many},
        {"ARG_MAX", index_of_extreme<"argmax">, Moved},
        {"ARG_MIN", index_of_extreme<"argmin">, Moved},
        {"ATAN2", atan2},
        {"BITWISE_XOR", binary<"bitwise_xor">, Raw},
        {"CAST", cast, Raw},
        {"CEIL", unary<"ceil">},
        {"COS", unary<"cos">},
        {"CUMSUM", cumulative_sum},
        {"DENSIFY", densify, Raw},
        {"DEQUANTIZE", dequantize, Raw},
        {"DIV", divide},
        {"ELU", elu},
        {"EQUAL", binary<"equal">},
        {"EXP", from_a_table<"exp">},
        {"FLOOR", unary<"floor">},
        {"FLOOR_DIV", binary<"floor_divide">, Raw},
        {"FLOOR_MOD", binary<"floor_mod">, Raw},
        {"GELU", gelu},
        {"GREATER", binary<"greater">},
        {"GREATER_EQUAL", binary<"greater_equal">},
        {"HARD_SWISH", hard_swish},
        {"LEAKY_RELU", leaky_relu, Real, leaky_bytes},
        {"LESS", binary<"less">},
        {"LESS_EQUAL", binary<"less_equal">},
        {"LOG", logarithm},
        {"LOGICAL_AND", binary<"logical_and">},
        {"LOGICAL_NOT", unary<"logical_not">},
        {"LOGICAL_OR", binary<"logical_or">},
        {"LOGISTIC", unary<"sigmoid">},
        {"LOG_SOFTMAX", log_softmax},
        {"MAXIMUM", binary<"maximum">, Moved},
        {"MEAN", summing<"mean">, Raw},
        {"MINIMUM", binary<"minimum">, Moved},
        {"MUL", binary<"multiply">},
        {"NEG", negative},
        {"NOT_EQUAL", binary<"not_equal">},
        {"POW", binary<"power">},
        {"PRELU", prelu},
        {"QUANTIZE", quantize, Raw, quantized_bytes},
        {"REDUCE_ALL", reduction<"all">},
        {"REDUCE_ANY", reduction<"any">},
        {"REDUCE_MAX", reduction<"max">, Moved},
        {"REDUCE_MIN", reduction<"min">, Moved},
        {"REDUCE_PROD", product},
        {"RELU", unary<"nn.relu">},
        {"RELU6", relu6},
        {"RELU_0_TO_1", relu_0_to_1},
        {"RELU_N1_TO_1", relu_n1_to_1},
        {"RIGHT_SHIFT", binary<"right_shift">, Raw},
        {"ROUND", round_to_even},
        {"RSQRT", from_a_table<"rsqrt">},
        {"SELECT", select, Moved},
        {"SELECT_V2", select, Moved},
        {"SIGN", unary<"sign">},
        {"SIN", unary<"sin">},
        {"SOFTMAX", softmax},
        {"SQRT", unary<"sqrt">},
        {"SQUARE", square},
        {"SQUARED_DIFFERENCE", squared_difference},
        {"SUB", binary<"subtract">, Real, sum_of_bytes<"subtract">},
        {"SUM", summing<"sum">, Raw},
        {"TANH", unary<"tanh">},
    };
    return kTable;
}

}  // namespace partita::litert
