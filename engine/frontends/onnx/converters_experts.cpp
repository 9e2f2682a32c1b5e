// Mixtures of experts, as ONNX Runtime's exporters write them (docs/ContribOperators.md, MoE and QMoE): of several
// small networks each row of the data goes through the k that its router rates highest (Shazeer et al., "Outrageously
// Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer", 2017).
#include <cmath>
#include <limits>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// Both layers of all experts.
struct Experts {
    ExprId first, second;            ///< [experts, inner (twice that with a gate), hidden] and [experts, hidden, inner]
    ExprId first_bias, second_bias;  ///< [experts, columns]; invalid if there is none
};

int64_t checked_count(NodeContext& n, int64_t experts) {
    const int64_t k = n.integer("k", 1);
    if (k < 1 || k > experts)
        throw Fault{"k is " + std::to_string(k) + ", but there are " + std::to_string(experts) + " experts", {}};
    if (n.integer("use_sparse_mixer", 0)) throw Fault{"use_sparse_mixer is not supported", {}};
    return k;
}

/// The experts of each row and what each of them counts, as [rows, k].
struct Choice {
    ExprId expert, weight;
};

Choice chosen(NodeContext& n, ExprId ratings, bool normalized) {
    Builder& build = n.build;
    const int64_t k = checked_count(n, build.shape(ratings).back());
    const auto softmax = [&](ExprId x) { return build.call("nn.softmax", {x}, {{"axis", -1}}); };
    const ExprId best =
        build.call("topk", {normalized ? ratings : softmax(ratings)},
                   {{"k", int(k)}, {"axis", -1}, {"ret_type", "both"}, {"is_ascend", false}, {"dtype", kInt64}});
    const ExprId rated = build.projection(best, 0);
    return {build.projection(best, 1), normalized ? softmax(rated) : rated};
}

/// What a node says of its gate; exporters write it beside other activations too, where it means nothing.
struct Gate {
    int64_t fusion;
    double alpha, beta, limit;
};

Gate gate_of(NodeContext& n) {
    return {n.integer("swiglu_fusion", 0), n.real("activation_alpha", 1), n.real("activation_beta", 0),
            n.real("swiglu_limit", std::numeric_limits<double>::infinity())};
}

/// Gates the odd columns by the even ones.
ExprId gated(NodeContext& n, ExprId x, const Gate& about) {
    if (about.fusion != 1)
        throw Fault{"swiglu_fusion " + std::to_string(about.fusion) + " is not supported, only gates beside their data",
                    {}};
    Builder& build = n.build;
    const int64_t columns = build.shape(x).back(), axis[] = {2}, end[] = {columns}, stride[] = {2};
    const auto every_second = [&](int64_t first) {
        const int64_t begin[] = {first};
        return build.call("strided_slice", {x},
                          {{"begin", integer_attribute(begin)},
                           {"end", integer_attribute(end)},
                           {"strides", integer_attribute(stride)},
                           {"axes", integer_attribute(axis)}});
    };
    ExprId gate = every_second(0), data = every_second(1);
    if (std::isfinite(about.limit)) {
        gate = build.call("minimum", {gate, like(n, gate, about.limit)});
        data = build.call("clip", {data}, {{"a_min", -about.limit}, {"a_max", about.limit}});
    }
    if (about.beta != 0) data = build.add(data, like(n, data, about.beta));
    return build.multiply(swish_of(n, gate, about.alpha), data);
}

ExprId activated(NodeContext& n, ExprId x) {
    const std::string kind = n.choice("activation_type", {"relu", "gelu", "silu", "swiglu", "identity"});
    const Gate gate = gate_of(n);
    if (kind == "swiglu") return gated(n, x, gate);
    if (kind == "relu") return n.build.call("nn.relu", {x});
    if (kind == "gelu") return gelu_by_tanh(n, x);
    if (kind == "silu") return swish_of(n, x, 1);
    return x;
}

/// Returns x, [rows, 1 or k, depth], through one layer of the experts chosen, as [rows, k, columns].
ExprId layer(NodeContext& n, ExprId x, ExprId weight, ExprId bias, ExprId expert) {
    Builder& build = n.build;
    const ExprId y = build.call("nn.expert_dense", {x, weight, expert});
    return bias.valid() ? build.add(y, build.call("take", {bias, expert}, {{"axis", 0}})) : y;
}

Exprs mixed(NodeContext& n, const Experts& experts, bool normalized) {
    Builder& build = n.build;
    const ExprId x = n.input(0);
    const Choice choice = chosen(n, n.input(1), normalized);
    const int64_t rows[] = {-1, 1, build.shape(x).back()}, choices[] = {1};
    const ExprId inner =
        activated(n, layer(n, build.reshape(x, rows), experts.first, experts.first_bias, choice.expert));
    const ExprId each = layer(n, inner, experts.second, experts.second_bias, choice.expert);
    const ExprId weighted = build.multiply(each, build.call("expand_dims", {choice.weight}, {{"axis", -1}}));
    const ExprId y =
        build.call("sum", {weighted}, {{"axis", integer_attribute(choices)}, {"keepdims", false}, {"exclude", false}});
    return {build.call("reshape_like", {y, x})};
}

/// Refuses operands whose shapes do not fit, because some would broadcast by chance.
void check_shapes(NodeContext& n, const Experts& experts) {
    const Integers x = n.build.shape(n.input(0)), ratings = n.build.shape(n.input(1)),
                   first = n.build.static_shape(experts.first), second = n.build.static_shape(experts.second);
    const bool ranks = x.size() >= 2 && x.size() <= 3 && ratings.size() == 2 && first.size() == 3 && second.size() == 3;
    if (!ranks) throw Fault{"its operands have other ranks", {}};
    const int64_t count = ratings[1], hidden = x.back(), inner = second[2];
    const int64_t columns = n.string("activation_type", "relu") == "swiglu" ? 2 * inner : inner;
    if (first != Integers{count, columns, hidden} || second != Integers{count, hidden, inner})
        throw Fault{"the weights " + shape_to_string(first) + " and " + shape_to_string(second) + " do not fit " +
                        std::to_string(count) + " experts of " + std::to_string(hidden) + " values",
                    {}};
    const auto fits = [&](ExprId bias, int64_t extent) {
        return !bias.valid() || n.build.static_shape(bias) == Integers{count, extent};
    };
    if (!fits(experts.first_bias, columns) || !fits(experts.second_bias, hidden))
        throw Fault{"a bias does not fit the weights", {}};
}

void refuse_third_layer(NodeContext& n, size_t from, size_t to) {
    for (size_t i = from; i < to; ++i)
        if (n.has(i)) throw Fault{"a third layer (fc3) is not supported", {}};
}

Exprs mixture(NodeContext& n) {
    refuse_third_layer(n, 6, 8);
    const Experts experts{n.input(2), n.input(4), n.optional_input(3), n.optional_input(5)};
    check_shapes(n, experts);
    return mixed(n, experts, n.integer("normalize_routing_weights", 0));
}

/// Returns quantized weights as [experts, rows, depth], in the type of the data.
ExprId expert_weights(NodeContext& n, size_t integers, size_t zeros) {
    const int64_t bits = n.integer("expert_weight_bits", 4);
    if (bits != 4 && bits != 8) throw Fault{"weights of " + std::to_string(bits) + " bits are not supported", {}};
    const Integers packed = n.build.static_shape(n.input(integers));
    if (packed.size() != 3) throw Fault{"the weights must have three dimensions", {}};
    const int64_t shape[] = {packed[0], packed[1], packed[2] * 8 / bits}, rows = packed[0] * packed[1];
    const int64_t block = n.integer("block_size", 0);
    if (block < 0 || (block > 0 && shape[2] % block != 0) || shape[2] < 1)
        throw Fault{"rows of " + std::to_string(shape[2]) + " are no multiple of block_size " + std::to_string(block),
                    {}};
    if (!block && bits == 4 && n.has(zeros)) throw Fault{"zero points of whole rows of 4 bits are not supported", {}};
    const ExprId weight =
        dequantized_constant(n, {rows, shape[2], block ? block : shape[2], int(bits), {}, {}, {}}, n.input(integers),
                             n.build.cast(n.input(integers + 1), kFloat32), n.optional_input(zeros));
    if (!weight.valid()) throw Fault{"its weights, scales and zero points must be constants that fit each other", {}};
    return n.build.cast(n.build.reshape(weight, shape), n.build.dtype(n.input(0)));
}

/// The weights of the experts chosen always add up to 1 here.
Exprs quantized_mixture(NodeContext& n) {
    refuse_third_layer(n, 8, 11);
    if (n.has(14)) throw Fault{"router_weights are not supported", {}};
    n.integer("normalize_routing_weights", 0);
    const Experts experts{expert_weights(n, 2, 11), expert_weights(n, 5, 12), n.optional_input(4), n.optional_input(7)};
    check_shapes(n, experts);
    return mixed(n, experts, true);
}

const ConverterEntry kRuntimeExpertConverters[] = {{"MoE", mixture}, {"QMoE", quantized_mixture}};

}  // namespace

std::span<const ConverterEntry> runtime_expert_converters() { return kRuntimeExpertConverters; }

}  // namespace partita::onnx
