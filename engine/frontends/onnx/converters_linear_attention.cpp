// What language models whose attention keeps a state of fixed size are made of (Mamba, Qwen3-Next, Qwen3.5), as ONNX
// Runtime's exporters write it: docs/ContribOperators.md, CausalConvWithState, LinearAttention, LinearAttentionGate,
// GatedRMSNorm.
#include "engine/frontends/onnx/attention.h"
#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

ExprId filled(NodeContext& n, double value, Integers shape, DataType dtype) {
    return n.build.call("full", {n.build.real(value, dtype)}, {{"shape", integer_attribute(shape)}, {"dtype", dtype}});
}

ExprId silu(NodeContext& n, ExprId x) { return swish_of(n, x, 1); }

/// Returns [batch, channels, rows] with the axes of channels and rows swapped.
ExprId swapped(NodeContext& n, ExprId x) {
    const int64_t axes[] = {0, 2, 1};
    return n.build.transpose(x, axes);
}

/// A convolution of each channel over the rows up to its own, those of earlier calls first.
Exprs causal_convolution(NodeContext& n) {
    refuse_unless(n, "ndim", 1);
    refuse_unless(n, "state_window", 0);
    const bool last = n.integer("channels_last", 0) != 0;
    const auto channels_first = [&](ExprId x) { return last ? swapped(n, x) : x; };
    const int64_t dilation = n.integer("dilation", 1);
    const std::string activation = n.choice("activation", {"none", "silu", "swish"});
    const ExprId x = channels_first(n.input(0));
    const Integers shape = n.build.static_shape(x), weight = n.build.static_shape(n.input(1));
    if (shape.size() != 3 || weight.size() != 3 || weight[0] != shape[1] || weight[1] != 1 || weight[2] < 1)
        throw Fault{"its input and weight do not fit", {}};
    if (dilation < 1) throw Fault{"dilation is " + std::to_string(dilation), {}};
    const int64_t kept = (weight[2] - 1) * dilation, rows = shape[2];
    const ExprId past =
        n.has(3) ? channels_first(n.input(3)) : filled(n, 0, {shape[0], shape[1], kept}, n.build.dtype(x));
    const ExprId parts[] = {past, x};
    const ExprId all = kept > 0 ? n.build.concatenate(parts, 2) : x;
    const int64_t no_padding[] = {0, 0}, dilations[] = {dilation}, width[] = {weight[2]};
    ExprId y = n.build.call("nn.conv1d", {all, n.input(1)},
                            {{"padding", integer_attribute(no_padding)},
                             {"dilation", integer_attribute(dilations)},
                             {"groups", int(shape[1])},
                             {"channels", int(shape[1])},
                             {"kernel_size", integer_attribute(width)}});
    if (n.has(2)) y = n.build.call("nn.bias_add", {y, n.input(2)}, {{"axis", 1}});
    if (activation != "none") y = silu(n, y);
    const ExprId state = n.build.slice(all, 2, rows, rows + kept);
    return {channels_first(y), channels_first(state)};
}

/// Splits the last of [batch, rows, heads * size] in two.
ExprId in_heads(NodeContext& n, ExprId x, int64_t heads, const char* what) {
    const Integers shape = n.build.static_shape(x);
    if (shape.size() != 3 || heads < 1 || shape[2] % heads)
        throw Fault{std::string(what) + " can't be divided into " + std::to_string(heads) + " heads", {}};
    const int64_t apart[] = {shape[0], shape[1], heads, shape[2] / heads};
    return n.build.reshape(x, apart);
}

/// One of the inputs decay and beta, which the rule wants or forbids.
ExprId gate(NodeContext& n, size_t index, bool wanted, const char* name) {
    if (n.has(index) == wanted) return wanted ? n.input(index) : ExprId();
    throw Fault{std::string("its update_rule ") + (wanted ? "wants" : "forbids") + " the input " + name, {}};
}

Exprs linear_attention(NodeContext& n) {
    refuse_unless(n, "state_window", 0);
    n.integer("chunk_size", 0);  // how it is computed, not what
    const std::string rule = n.choice("update_rule", {"gated_delta", "linear", "gated", "delta"});
    const bool gated = rule.starts_with("gated"), delta = rule.ends_with("delta");
    const int64_t query_heads = n.integer("q_num_heads", 0), heads = n.integer("kv_num_heads", 0);
    const DataType dtype = n.build.dtype(n.input(0)), kept = n.has(3) ? n.build.dtype(n.input(3)) : dtype;
    const auto input = [&](ExprId x) { return n.build.cast(x, kept); };
    const ExprId query = in_heads(n, input(n.input(0)), query_heads, "query");
    const Integers shape = n.build.static_shape(query);
    const int64_t width = width_of(n, n.input(1)), key_heads = shape[3] > 0 ? width / shape[3] : 0;
    const ExprId key = in_heads(n, input(n.input(1)), key_heads, "key");
    const ExprId value = in_heads(n, input(n.input(2)), heads, "value");
    const ExprId given_decay = gate(n, 4, gated, "decay"), given_beta = gate(n, 5, delta, "beta");
    const ExprId decay =
        gated ? in_heads(n, input(given_decay), heads, "decay") : filled(n, 0, {shape[0], shape[1], heads, 1}, kept);
    const ExprId beta = delta ? in_heads(n, input(given_beta), width_of(n, given_beta), "beta")
                              : filled(n, 1, {shape[0], shape[1], 1, 1}, kept);
    const ExprId past =
        n.has(3) ? n.input(3) : filled(n, 0, {shape[0], heads, shape[3], n.build.static_shape(value)[3]}, kept);
    const ExprId both = n.build.call("nn.linear_attention", {query, key, value, decay, beta, past},
                                     {{"scale", n.real("scale", 0)}, {"delta", delta}});
    const ExprId result = n.build.projection(both, 0);
    const Integers apart = n.build.static_shape(result);
    const int64_t joined[] = {apart[0], apart[1], apart[2] * apart[3]};
    return {n.build.cast(n.build.reshape(result, joined), dtype), n.build.projection(both, 1)};
}

/// Computed in float32, as the runtime does: the decay is an exponent later.
Exprs linear_attention_gate(NodeContext& n) {
    const DataType dtype = n.build.dtype(n.input(0));
    const auto input = [&](size_t i) { return n.build.cast(n.input(i), kFloat32); };
    const ExprId steps = softplus_of(n, n.build.add(input(0), input(1)));
    Exprs made{n.build.cast(n.build.multiply(steps, input(2)), dtype)};
    if (n.has(3)) made.push_back(n.build.cast(n.build.call("sigmoid", {input(3)}), dtype));
    return made;
}

Exprs gated_rms_norm(NodeContext& n) {
    const DataType dtype = n.build.dtype(n.input(0));
    const auto input = [&](size_t i) { return n.build.cast(n.input(i), kFloat32); };
    const Integers shape = n.build.static_shape(n.input(0));
    const int64_t group = width_of(n, n.input(1));
    if (shape.empty() || group < 1 || shape.back() % group) throw Fault{"its rows are no multiple of its scale", {}};
    Integers apart(shape.begin(), shape.end() - 1);
    apart.insert(apart.end(), {shape.back() / group, group});
    const ExprId x = n.build.reshape(input(0), apart);
    const ExprId norm = root_mean_square(n, x, input(1), int64_t(apart.size()) - 1, n.real("epsilon", 1e-5))[0];
    return {n.build.cast(n.build.multiply(n.build.reshape(norm, shape), silu(n, input(2))), dtype)};
}

const ConverterEntry kRuntimeLinearAttentionConverters[] = {
    {"CausalConvWithState", causal_convolution},
    {"GatedRMSNorm", gated_rms_norm},
    {"LinearAttention", linear_attention},
    {"LinearAttentionGate", linear_attention_gate},
};

}  // namespace

std::span<const ConverterEntry> runtime_linear_attention_converters() { return kRuntimeLinearAttentionConverters; }

}  // namespace partita::onnx
