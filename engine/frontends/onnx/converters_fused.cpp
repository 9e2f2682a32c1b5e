// Operators of com.microsoft that ONNX Runtime's optimizers write: several of ONNX's in one
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

Exprs fused_mat_mul(NodeContext& n) {
    for (const char* name : {"transBatchA", "transBatchB"})
        if (n.integer(name, 0)) throw Fault{"its attribute " + std::string(name) + " is not supported", {}};
    const ExprId a = n.integer("transA", 0) ? with_last_swapped(n.build, n.input(0)) : n.input(0);
    const ExprId b = n.integer("transB", 0) ? with_last_swapped(n.build, n.input(1)) : n.input(1);
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

Exprs swiglu(NodeContext& n) { return {n.build.multiply(swish_of(n, n.input(0), n.real("alpha", 1)), n.input(1))}; }

const ConverterEntry kFusedConverters[] = {
    {"Gelu", gelu},
    {"SwiGLU", swiglu},
    {"Swish", swish},
};

const ConverterEntry kRuntimeFusedConverters[] = {
    {"BiasGelu", bias_gelu},        {"FastGelu", fast_gelu},
    {"FusedConv", fused_conv},      {"FusedGemm", fused_gemm},
    {"FusedMatMul", fused_mat_mul}, {"Gelu", gelu},
    {"QuickGelu", quick_gelu},      {"TransposeMatMul", fused_mat_mul},
};

}  // namespace

std::span<const ConverterEntry> fused_converters() { return kFusedConverters; }
std::span<const ConverterEntry> runtime_fused_converters() { return kRuntimeFusedConverters; }

}  // namespace partita::onnx
