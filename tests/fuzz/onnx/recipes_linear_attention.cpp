// Recipes for what language models with a state of fixed size are made of.
#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

using Attributes = std::vector<std::string>;
using Maker = GraphMaker;

std::string tame(Maker& m, const Shape& shape) { return m.fresh(kReal, shape, true).name; }

std::string between(Maker& m, const Shape& shape, double least, double most) {
    return m
        .filled(
            kReal, shape, [&m, least, most](int64_t) { return m.real(least, most); }, false)
        .name;
}

void drop_empty(std::vector<std::string>& inputs) {
    while (inputs.back().empty()) inputs.pop_back();
}

void causal_convolution(Maker& m, std::string_view op) {
    const bool last = m.chance(0.3);
    const int64_t batch = m.between(1, 2), channels = m.between(1, 4), rows = m.between(1, 6), width = m.between(2, 4),
                  dilation = m.chance(0.3) ? 2 : 1, kept = (width - 1) * dilation;
    const auto shape = [&](int64_t length) {
        return last ? Shape{batch, length, channels} : Shape{batch, channels, length};
    };
    std::vector<std::string> inputs{tame(m, shape(rows)), m.weight(kReal, {channels, 1, width}).name,
                                    m.chance(0.5) ? m.weight(kReal, {channels}).name : "",
                                    m.chance(0.6) ? tame(m, shape(kept)) : ""};
    drop_empty(inputs);
    Attributes attributes;
    if (m.chance(0.6)) attributes.push_back(attribute("activation", m.one_of({"none", "silu", "swish"})));
    if (dilation != 1) attributes.push_back(attribute("dilation", dilation));
    if (last) attributes.push_back(attribute("channels_last", 1));
    m.node(op, inputs, attributes, Effect::Rounded, 2);
}

void linear_attention(Maker& m, std::string_view op) {
    const std::string rule = m.one_of({"linear", "gated", "delta", "gated_delta"});
    const bool gated = rule.starts_with("gated"), delta = rule.ends_with("delta");
    const int64_t batch = m.between(1, 2), rows = m.between(1, 5), size = m.between(1, 5), width = m.between(1, 5),
                  heads = m.one_of({1, 2, 4}), queries = m.one_of({1, 2, 4}), keys = m.chance(0.5) ? heads : 1;
    std::vector<std::string> inputs{tame(m, {batch, rows, queries * size}),
                                    between(m, {batch, rows, keys * size}, -0.5, 0.5),
                                    tame(m, {batch, rows, heads * width}),
                                    m.chance(0.5) ? tame(m, {batch, heads, size, width}) : "",
                                    "",
                                    ""};
    if (gated) inputs[4] = between(m, {batch, rows, m.chance(0.5) ? heads : heads * size}, -2, 0);
    if (delta) inputs[5] = between(m, {batch, rows, m.chance(0.5) ? heads : 1}, 0, 1);
    drop_empty(inputs);
    Attributes attributes{attribute("q_num_heads", queries), attribute("kv_num_heads", heads),
                          attribute("update_rule", rule)};
    if (m.chance(0.3)) attributes.push_back(attribute("scale", 0.7));
    if (m.chance(0.3)) attributes.push_back(attribute("chunk_size", 32));
    m.node(op, inputs, attributes, Effect::Rounded, 2);
}

void linear_attention_gate(Maker& m, std::string_view op) {
    const Shape shape{m.between(1, 2), m.between(1, 4), m.between(1, 5)};
    std::vector<std::string> inputs{tame(m, shape), m.weight(kReal, {shape[2]}).name, between(m, {shape[2]}, -2, 0)};
    const bool both = m.chance(0.6);
    if (both) inputs.push_back(tame(m, shape));
    m.node(op, inputs, {}, Effect::Rounded, both ? 2 : 1);
}

void gated_norm(Maker& m, std::string_view op) {
    const int64_t group = m.between(2, 5);
    Shape shape = m.shape(1, 2, false);
    shape.push_back(group * m.between(1, 3));
    Attributes attributes;
    if (m.chance(0.5)) attributes.push_back(attribute("epsilon", m.one_of({1e-6, 1e-3})));
    m.node(op, {tame(m, shape), m.weight(kReal, {group}).name, tame(m, shape)}, attributes);
}

void rotary_in_three_ways(Maker& m, std::string_view op) {
    const bool flat = m.chance(0.4), partly = m.chance(0.3);
    const int64_t batch = m.between(1, 2), heads = m.between(1, 3), rows = m.between(1, 4), first = m.between(0, 2),
                  second = m.between(0, 2), third = m.between(1, 2), half = first + second + third,
                  size = 2 * half + (partly ? 2 : 0), most = 5;
    const std::string x = tame(m, flat ? Shape{batch, rows, heads * size} : Shape{batch, heads, rows, size});
    const std::string at =
        m.filled(
             kLong, {3, batch, rows}, [&m](int64_t) { return double(m.between(0, most - 1)); }, m.chance(0.3))
            .name;
    Attributes attributes{attribute("mrope_section", Shape{first, second, third})};
    if (m.chance(0.5)) attributes.push_back(attribute("mrope_layout", 1));
    if (flat) attributes.push_back(attribute("num_heads", heads));
    if (m.chance(0.5)) attributes.push_back(attribute("interleaved", 1));
    if (partly) attributes.push_back(attribute("rotary_embedding_dim", 2 * half));
    m.node(op, {x, at, m.weight(kReal, {most, half}).name, m.weight(kReal, {most, half}).name}, attributes);
}

const Recipe kRecipes[] = {
    {{"com.microsoft.CausalConvWithState"}, 7, causal_convolution},
    {{"com.microsoft.GatedRMSNorm"}, 7, gated_norm},
    {{"com.microsoft.LinearAttention"}, 7, linear_attention},
    {{"com.microsoft.LinearAttentionGate"}, 7, linear_attention_gate},
    {{"com.microsoft.MRotaryEmbedding"}, 7, rotary_in_three_ways},
};

}  // namespace

std::span<const Recipe> linear_attention_recipes() { return kRecipes; }

}  // namespace partita::fuzz
