// Operators of com.microsoft that ONNX Runtime's optimizers and quantizers write: several of ONNX's in one
// (docs/ContribOperators.md).
#include <algorithm>
#include <cmath>
#include <string>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

// --- activations ------------------------------------------------------------------------------------------------

/// x / 2 (1 + erf(x / sqrt 2))
ExprId gelu_of(NodeContext& n, ExprId x) {
    const ExprId erf = n.build.call("erf", {scaled(n, x, std::sqrt(0.5))});
    return n.build.multiply(scaled(n, x, 0.5), n.build.add(erf, like(n, x, 1)));
}

/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
ExprId gelu_by_tanh(NodeContext& n, ExprId x) {
    const ExprId cube = n.build.multiply(n.build.multiply(x, x), x);
    const ExprId bent =
        n.build.call("tanh", {scaled(n, n.build.add(x, scaled(n, cube, 0.044715)), std::sqrt(2 / M_PI))});
    return n.build.multiply(scaled(n, x, 0.5), n.build.add(bent, like(n, x, 1)));
}

ExprId swish_of(NodeContext& n, ExprId x, double alpha) {
    return n.build.multiply(x, n.build.call("sigmoid", {scaled(n, x, alpha)}));
}

Exprs gelu(NodeContext& n) {
    const bool by_tanh = n.choice("approximate", {"none", "tanh"}) == "tanh";
    return {by_tanh ? gelu_by_tanh(n, n.input(0)) : gelu_of(n, n.input(0))};
}

Exprs swish(NodeContext& n) { return {swish_of(n, n.input(0), n.real("alpha", 1))}; }
Exprs quick_gelu(NodeContext& n) { return {swish_of(n, n.input(0), n.real("alpha", 1.702))}; }
Exprs bias_gelu(NodeContext& n) { return {gelu_of(n, n.build.add(n.input(0), n.input(1)))}; }

Exprs fast_gelu(NodeContext& n) {
    return {gelu_by_tanh(n, n.has(1) ? n.build.add(n.input(0), n.input(1)) : n.input(0))};
}

/// The activation that a fused operator names; its figures stand in a list, in the order of that operator's attributes.
ExprId activated(NodeContext& n, ExprId x, const char* attribute, const std::vector<double>& figures) {
    const std::string name = n.choice(attribute, {"", "Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "HardSigmoid"});
    const auto figure = [&](size_t index, double usual) { return index < figures.size() ? figures[index] : usual; };
    if (name.empty()) return x;
    if (name == "Relu") return n.build.call("nn.relu", {x});
    if (name == "Tanh") return n.build.call("tanh", {x});
    if (name == "Sigmoid") return n.build.call("sigmoid", {x});
    if (name == "LeakyRelu") return n.build.call("nn.leaky_relu", {x}, {{"alpha", figure(0, 0.01)}});
    if (figures.size() != 2) throw Fault{"its activation " + name + " needs two figures", {}};
    if (name == "Clip") return n.build.call("clip", {x}, {{"a_min", figures[0]}, {"a_max", figures[1]}});
    const ExprId line = n.build.add(scaled(n, x, figures[0]), like(n, x, figures[1]));
    return n.build.call("clip", {line}, {{"a_min", 0.0}, {"a_max", 1.0}});
}

// --- products ---------------------------------------------------------------------------------------------------

ExprId with_last_swapped(NodeContext& n, ExprId x) {
    std::vector<int64_t> axes;
    for (int64_t i = 0; i < n.build.rank(x); ++i) axes.push_back(i);
    if (axes.size() < 2) return x;
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return n.build.transpose(x, axes);
}

Exprs fused_mat_mul(NodeContext& n) {
    for (const char* name : {"transBatchA", "transBatchB"})
        if (n.integer(name, 0)) throw Fault{"its attribute " + std::string(name) + " is not supported", {}};
    const ExprId a = n.integer("transA", 0) ? with_last_swapped(n, n.input(0)) : n.input(0);
    const ExprId b = n.integer("transB", 0) ? with_last_swapped(n, n.input(1)) : n.input(1);
    return {scaled(n, matrix_product(n.build, a, b), n.real("alpha", 1))};
}

Exprs fused_gemm(NodeContext& n) {
    const ExprId y = find_converter("", "Gemm")(n)[0];
    std::vector<double> figures;
    for (const char* name : {"activation_alpha", "activation_beta"})
        if (n.has_attribute(name)) figures.push_back(n.real(name, 0));
    return {activated(n, y, "activation", figures)};
}

Exprs fused_conv(NodeContext& n) {
    ExprId y = find_converter("", "Conv")(n)[0];
    if (n.has(3)) y = n.build.add(y, n.input(3));
    return {activated(n, y, "activation", n.reals("activation_params"))};
}

/// The integers of `bits` bits that bytes hold, the lowest bits first, along the last axis.
ExprId unpacked(NodeContext& n, ExprId bytes, int64_t bits) {
    if (bits == 8) return bytes;
    Exprs parts;
    const ExprId mask = n.build.constant((1 << bits) - 1, kUInt8);
    for (int64_t shift = 0; shift < 8; shift += bits) {
        const ExprId moved = shift ? n.build.call("right_shift", {bytes, n.build.constant(shift, kUInt8)}) : bytes;
        parts.push_back(n.build.call("bitwise_and", {moved, mask}));
    }
    std::vector<int64_t> shape = n.build.static_shape(bytes);
    if (shape.empty()) throw Fault{"the packed integers are a scalar", {}};
    shape.back() *= 8 / bits;
    return n.build.reshape(n.build.call("stack", {n.build.tuple(parts)}, {{"axis", -1}}), shape);
}

/// a times the transpose of a matrix [N, K] whose rows are quantized in blocks.
Exprs mat_mul_n_bits(NodeContext& n) {
    if (n.has(4)) throw Fault{"its input g_idx is not supported", {}};
    const int64_t bits = n.integer("bits", 4), block = n.integer("block_size", 0);
    const int64_t rows = n.integer("N", 0), depth = n.integer("K", 0);
    if (bits != 2 && bits != 4 && bits != 8)
        throw Fault{"weights of " + std::to_string(bits) + " bits are not supported", {}};
    if (block < 1 || rows < 1 || depth < 1 || block > (1 << 20) || rows > (1 << 30) || depth > (1 << 30))
        throw Fault{"block_size, N and K must be positive and not too large", {}};
    const int64_t blocks = (depth + block - 1) / block;
    const DataType dtype = n.build.dtype(n.input(0));
    const int64_t by_block[] = {rows, blocks, block}, per_block[] = {rows, blocks, 1},
                  matrix[] = {rows, blocks * block};
    ExprId weight = n.build.reshape(n.build.cast(unpacked(n, n.input(1), bits), dtype), by_block);
    ExprId zero = n.build.real(double(1 << (bits - 1)), dtype);
    if (n.has(3)) {
        zero = n.input(3);
        if (n.build.dtype(zero) == kUInt8) {  // packed, each row to whole bytes
            const int64_t bytes = (blocks * bits + 7) / 8, packed[] = {rows, bytes};
            zero = n.build.slice(unpacked(n, n.build.reshape(zero, packed), bits), 1, 0, blocks);
        }
        zero = n.build.cast(n.build.reshape(zero, per_block), dtype);
    }
    weight =
        n.build.multiply(n.build.subtract(weight, zero), n.build.cast(n.build.reshape(n.input(2), per_block), dtype));
    weight = n.build.reshape(weight, matrix);
    if (blocks * block != depth) weight = n.build.slice(weight, 1, 0, depth);
    ExprId y = matrix_product(n.build, n.input(0), with_last_swapped(n, weight));
    return {n.has(5) ? n.build.add(y, n.input(5)) : y};
}

// --- quantized --------------------------------------------------------------------------------------------------

/// (x - zero point) scale, of one scale and zero point.
ExprId real_of(NodeContext& n, ExprId x, ExprId scale, ExprId zero_point) {
    ExprId wide = n.build.cast(x, kInt32);
    if (zero_point.valid()) wide = n.build.subtract(wide, n.build.cast(n.build.reshape(zero_point, {}), kInt32));
    return n.build.multiply(n.build.cast(wide, kFloat32), n.build.reshape(scale, {}));
}

ExprId real_input(NodeContext& n, size_t first) {
    return real_of(n, n.input(first), n.input(first + 1), n.has(first + 2) ? n.input(first + 2) : ExprId());
}

/// The reverse, rounded and kept in range; `scale` and `zero_point` are inputs.
ExprId quantized(NodeContext& n, ExprId y, size_t scale, size_t zero_point, DataType dtype) {
    if (dtype != kInt8 && dtype != kUInt8)
        throw Fault{"quantization to " + dtype.to_string() + " is not supported", {}};
    ExprId steps = round_half_even(n.build, n.build.divide(y, n.build.reshape(n.input(scale), {})));
    if (n.has(zero_point)) steps = n.build.add(steps, n.build.cast(n.build.reshape(n.input(zero_point), {}), kFloat32));
    const bool is_signed = dtype == kInt8;
    return n.build.cast(
        n.build.call("clip", {steps}, {{"a_min", is_signed ? -128.0 : 0.0}, {"a_max", is_signed ? 127.0 : 255.0}}),
        dtype);
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
    std::vector<int64_t> axes;
    for (int64_t i = last ? 1 : 2; i < n.build.rank(x) - (last ? 1 : 0); ++i) axes.push_back(i);
    const ExprId y =
        n.build.call("mean", {x}, {{"axis", integer_attribute(axes)}, {"keepdims", true}, {"exclude", false}});
    return {quantized(n, y, 3, 4, n.build.dtype(n.input(0)))};
}

/// Inputs: the output's scale and zero point, then each part with its own.
Exprs qlinear_concat(NodeContext& n) {
    Exprs parts;
    for (size_t i = 2; i + 2 < n.input_count(); i += 3) parts.push_back(real_input(n, i));
    if (parts.empty()) throw Fault{"it has no parts", {}};
    const int64_t axis = n.axis(n.integer("axis", 0), n.build.rank(parts[0]));
    return {quantized(n, n.build.concatenate(parts, axis), 0, 1, n.build.dtype(n.input(2)))};
}

const ConverterEntry kTable[] = {
    {"Gelu", gelu},
    {"Swish", swish},
};

const ConverterEntry kRuntimeTable[] = {
    {"BiasGelu", bias_gelu},
    {"FastGelu", fast_gelu},
    {"FusedConv", fused_conv},
    {"FusedGemm", fused_gemm},
    {"FusedMatMul", fused_mat_mul},
    {"Gelu", gelu},
    {"MatMulNBits", mat_mul_n_bits},
    {"QLinearAdd", qlinear_add},
    {"QLinearConcat", qlinear_concat},
    {"QLinearGlobalAveragePool", qlinear_global_average_pool},
    {"QLinearLeakyRelu", qlinear_leaky_relu},
    {"QLinearMul", qlinear_mul},
    {"QLinearSigmoid", qlinear_sigmoid},
    {"QuickGelu", quick_gelu},
};

}  // namespace

std::span<const ConverterEntry> fused_converters() { return kTable; }
std::span<const ConverterEntry> runtime_fused_converters() { return kRuntimeTable; }

}  // namespace partita::onnx
