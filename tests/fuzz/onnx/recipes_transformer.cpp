// Attention, caches, fused and newer operators.
#include <algorithm>

#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

using Maker = GraphMaker;

Value tame(Maker& m, const Shape& shape) { return m.fresh(kReal, shape, true); }

Value tame_data(Maker& m, int least_rank, int greatest_rank) {
    return m.data(
        {.types = {kReal}, .least_rank = least_rank, .greatest_rank = greatest_rank, .tame = true, .non_empty = true});
}

// --- attention --------------------------------------------------------------------------------------------------

/// The extents that queries, keys and values share.
struct Heads {
    int64_t batch, heads, own, rows, keys, size, width;
};

Heads choose_heads(Maker& m) {
    const int64_t own = m.between(1, 3);
    return {m.between(1, 2),     own * m.one_of({1, 1, 2}), own, m.between(1, 4), m.between(1, 5),
            m.one_of({2, 4, 8}), m.one_of({2, 4, 8})};
}

void attention(Maker& m, std::string_view op) {
    Heads h = choose_heads(m);
    const bool flat = m.chance(0.4), causal = m.chance(0.4), cached = m.chance(0.3);
    if (causal && !cached) h.keys = h.rows;
    const auto data = [&](int64_t heads, int64_t rows, int64_t size) {
        return tame(m, flat ? Shape{h.batch, rows, heads * size} : Shape{h.batch, heads, rows, size}).name;
    };
    // The runtime forgets that a single query of several new keys is to see only the first.
    if (causal && h.rows == 1) h.keys = 1;
    const int64_t past = cached ? m.between(1, 3) : 0;
    std::vector<std::string> inputs{data(h.heads, h.rows, h.size), data(h.own, h.keys, h.size),
                                    data(h.own, h.keys, h.width)};
    if (m.chance(0.5)) {
        const Shape mask = m.one_of<Shape>({{h.rows, h.keys + past}, {h.batch, 1, h.rows, h.keys + past}});
        // A row that sees no key has no answer: the first one is always seen.
        if (m.chance(0.5)) inputs.push_back(tame(m, mask).name);
        else
            inputs.push_back(m.filled(kTruth, mask, [&, keys = h.keys + past](int64_t i) {
                                  return double(i % keys == 0 || m.chance(0.7));
                              }).name);
    }
    if (cached) {
        inputs.resize(4);
        inputs.push_back(tame(m, {h.batch, h.own, past, h.size}).name);
        inputs.push_back(tame(m, {h.batch, h.own, past, h.width}).name);
    }
    const bool shown = m.chance(0.2);
    Attributes attributes;
    if (flat) attributes = {attribute("q_num_heads", h.heads), attribute("kv_num_heads", h.own)};
    if (shown) attributes.push_back(attribute("qk_matmul_output_mode", m.one_of({0, 3})));
    if (causal) attributes.push_back(attribute("is_causal", 1));
    if (m.chance(0.3)) attributes.push_back(attribute("scale", 0.3));
    if (m.chance(0.3)) attributes.push_back(attribute("softcap", 2.0));
    m.node(op, inputs, attributes, Effect::Rounded, shown ? 4 : cached ? 3 : 1);
}

void multi_head_attention(Maker& m, std::string_view op) {
    Heads h = choose_heads(m);
    const bool causal = m.chance(0.3), cached = m.chance(0.3);
    if (causal || cached) h.keys = h.rows;
    if (cached) h.width = h.size;
    const int64_t past = cached ? m.between(1, 3) : 0, all = h.keys + past, query = h.heads * h.size,
                  value = h.heads * h.width;
    std::vector<std::string> inputs{tame(m, {h.batch, h.rows, query}).name, tame(m, {h.batch, h.keys, query}).name,
                                    tame(m, {h.batch, h.keys, value}).name};
    inputs.resize(8);
    if (m.chance(0.4)) inputs[3] = m.weight(kReal, {2 * query + value}).name;
    if (m.chance(0.3) && !causal)
        inputs[4] =
            m.filled(
                 kInteger, {h.batch, all}, [&](int64_t i) { return double(i % all == 0 || m.chance(0.7)); }, false)
                .name;
    if (m.chance(0.4)) inputs[5] = tame(m, {h.batch, h.heads, h.rows, all}).name;
    if (cached) {
        inputs[6] = tame(m, {h.batch, h.heads, past, h.size}).name;
        inputs[7] = tame(m, {h.batch, h.heads, past, h.width}).name;
    }
    while (inputs.back().empty()) inputs.pop_back();
    Attributes attributes{attribute("num_heads", h.heads)};
    if (causal) attributes.push_back(attribute("unidirectional", 1));
    if (m.chance(0.3)) attributes.push_back(attribute("scale", 0.3));
    m.node(op, inputs, attributes, Effect::Rounded, cached ? 3 : 1);
}

void decoder_attention(Maker& m, std::string_view op) {
    const int64_t batch = m.between(1, 2), heads = m.between(1, 3), size = m.one_of({2, 4, 8}), width = heads * size;
    const bool crosses = m.chance(0.4), masked = m.chance(0.5);
    // The runtime forgets the fresh row where there is no past.
    const int64_t past = m.between(1, 4), keys = past + 1, buffer = crosses ? keys : keys + m.between(0, 3);
    std::vector<std::string> inputs{tame(m, {batch, 1, width}).name};
    const Shape fresh = crosses ? Shape{batch, heads, keys, size} : Shape{batch, 1, width};
    for (int i = 0; i < 2; ++i) inputs.push_back(tame(m, fresh).name);
    inputs.resize(11);
    if (masked)
        inputs[3] =
            m.filled(
                 kInteger, {batch, keys}, [&](int64_t i) { return double(i % keys == 0 || m.chance(0.7)); }, false)
                .name;
    if (!crosses) {
        if (m.chance(0.4)) inputs[4] = tame(m, {1, heads, 1, keys}).name;
        for (size_t i : {5, 6}) inputs[i] = tame(m, {batch, heads, buffer, size}).name;
        inputs[7] = m.filled(
                         kInteger, {1}, [past](int64_t) { return double(past); }, m.chance(0.5))
                        .name;
    }
    if (m.chance(0.4)) inputs[10] = m.weight(kReal, {3 * width}).name;
    while (inputs.back().empty()) inputs.pop_back();
    Attributes attributes{attribute("num_heads", heads)};
    if (!crosses) attributes.push_back(attribute("past_present_share_buffer", 1));
    if (m.chance(0.3)) attributes.push_back(attribute("scale", 0.3));
    if (masked && m.chance(0.3)) attributes.push_back(attribute("mask_filter_value", -2.0));
    m.node(op, inputs, attributes, Effect::Rounded, crosses ? 1 : 3);
}

void group_query_attention(Maker& m, std::string_view op) {
    Heads h = choose_heads(m);
    const bool prompt = m.chance(0.4), turned = m.chance(0.4);
    h.size = turned ? 16 : m.one_of({8, 16});  // as the runtime wants it
    const int64_t past = prompt ? 0 : m.between(1, 4);
    if (!prompt) h.rows = 1;
    const int64_t total = past + h.rows;
    const bool packed = m.chance(0.3);
    const auto rows_of = [&](int64_t heads) { return tame(m, {h.batch, h.rows, heads * h.size}).name; };
    std::vector<std::string> inputs;
    if (packed) inputs = {rows_of(h.heads + 2 * h.own), "", ""};
    else inputs = {rows_of(h.heads), rows_of(h.own), rows_of(h.own)};
    for (int i = 0; i < 2; ++i) inputs.push_back(prompt ? "" : tame(m, {h.batch, h.own, past, h.size}).name);
    inputs.push_back(m.filled(
                          kInteger, {h.batch}, [&](int64_t) { return double(total - 1); }, m.chance(0.5))
                         .name);
    inputs.push_back(m.scalar(kInteger, double(total)).name);
    Attributes attributes{attribute("num_heads", h.heads), attribute("kv_num_heads", h.own)};
    if (turned) {
        for (int i = 0; i < 2; ++i) inputs.push_back(m.weight(kReal, {total + 2, h.size / 2}).name);
        attributes.push_back(attribute("do_rotary", 1));
        if (m.chance(0.5)) attributes.push_back(attribute("rotary_interleaved", 1));
    }
    if (m.chance(0.3)) attributes.push_back(attribute("scale", 0.3));
    if (m.chance(0.3)) attributes.push_back(attribute("softcap", 2.0));
    if (m.chance(0.3)) attributes.push_back(attribute("local_window_size", m.between(1, 4)));
    const bool biased = m.chance(0.3), sink = m.chance(0.3);
    if (biased || sink) inputs.resize(12);
    if (biased) inputs[10] = tame(m, {h.batch, h.heads, h.rows, total}).name;
    if (sink) inputs[11] = tame(m, {h.heads}).name;
    else if (m.chance(0.3)) attributes.push_back(attribute("smooth_softmax", 1));
    while (inputs.back().empty()) inputs.pop_back();
    m.node(op, inputs, attributes, Effect::Rounded, 3);
}

void rotary(Maker& m, std::string_view op) {
    const bool of_runtime = op.starts_with("com."), flat = m.chance(0.4);
    const int64_t batch = m.between(1, 2), heads = m.between(1, 3), rows = m.between(1, 4), half = m.one_of({1, 2, 4}),
                  size = 2 * half;
    const int64_t most = rows + 3;
    const Value x = tame(m, flat ? Shape{batch, rows, heads * size} : Shape{batch, heads, rows, size});
    const auto positions = [&](const Shape& shape, int64_t largest) {
        return m
            .filled(
                kLong, shape, [&, largest](int64_t) { return double(m.between(0, largest)); }, m.chance(0.3))
            .name;
    };
    Attributes attributes;
    if (flat) attributes.push_back(attribute("num_heads", heads));
    if (m.chance(0.5)) attributes.push_back(attribute("interleaved", 1));
    if (of_runtime) {
        const bool first = m.chance(0.5);
        const std::string at = positions(first ? Shape{1} : Shape{batch, rows}, first ? 3 : most - 1);
        m.node(op, {x.name, at, m.weight(kReal, {most, half}).name, m.weight(kReal, {most, half}).name}, attributes);
        return;
    }
    const bool placed = m.chance(0.5);
    const Shape table = placed ? Shape{most, half} : Shape{batch, rows, half};
    std::vector<std::string> inputs{x.name, m.weight(kReal, table).name, m.weight(kReal, table).name};
    if (placed) inputs.push_back(positions({batch, rows}, most - 1));
    m.node(op, inputs, attributes);
}

void tensor_scatter(Maker& m, std::string_view op) {
    Shape shape = m.shape(3, 4, false);
    const int64_t rank = int64_t(shape.size()), axis = m.between(1, rank - 1), extent = shape[size_t(axis)],
                  count = m.between(1, extent);
    Shape fresh = shape;
    fresh[size_t(axis)] = count;
    const bool circular = m.chance(0.4);
    std::vector<std::string> inputs{tame(m, shape).name, tame(m, fresh).name};
    if (m.chance(0.8))
        inputs.push_back(m.filled(
                              kLong, {shape[0]},
                              [&](int64_t) { return double(m.between(0, circular ? extent - 1 : extent - count)); },
                              false)
                             .name);
    m.node(op, inputs,
           {attribute("axis", m.chance(0.5) ? axis : axis - rank), attribute("mode", circular ? "circular" : "linear")},
           Effect::Exact);
}

// --- normalization ----------------------------------------------------------------------------------------------

void rms_normalization(Maker& m, std::string_view op) {
    const Value x = tame_data(m, 1, 4);
    const int64_t axis = op == "RMSNormalization" ? m.axis(x.rank()) : -1, from = axis < 0 ? axis + x.rank() : axis;
    m.node(op, {x.name, m.weight(kReal, {x.shape.begin() + from, x.shape.end()}).name},
           {attribute("axis", axis), attribute("epsilon", 1e-3)});
}

void skip_normalization(Maker& m, std::string_view op) {
    const Shape shape{m.between(1, 3), m.between(1, 4), m.between(1, 8)}, last{shape[2]};
    std::vector<std::string> inputs{tame(m, shape).name, tame(m, shape).name, m.weight(kReal, last).name};
    const bool layer = op.ends_with(".SkipLayerNormalization");
    if (layer) inputs.push_back(m.chance(0.7) ? m.weight(kReal, last).name : "");
    if (m.chance(0.5)) inputs.push_back(m.weight(kReal, last).name);
    while (inputs.back().empty()) inputs.pop_back();
    m.node(op, inputs, {attribute("epsilon", 1e-3)});
}

void embedding(Maker& m, std::string_view op) {
    const int64_t batch = m.between(1, 2), rows = m.between(1, 4), width = m.between(1, 8), words = m.between(2, 9);
    const auto indices = [&](int64_t count) {
        return m
            .filled(
                kInteger, {batch, rows}, [&, count](int64_t) { return double(m.between(0, count - 1)); }, false)
            .name;
    };
    const bool segmented = m.chance(0.6);
    std::vector<std::string> inputs{indices(words),
                                    segmented ? indices(2) : "",
                                    m.weight(kReal, {words, width}).name,
                                    m.weight(kReal, {rows + 2, width}).name,
                                    segmented ? m.weight(kReal, {2, width}).name : "",
                                    m.weight(kReal, {width}).name,
                                    m.weight(kReal, {width}).name};
    if (m.chance(0.5)) inputs.push_back(indices(2));
    m.node(op, inputs, {attribute("epsilon", 1e-3)}, Effect::Rounded, 2);
}

// --- fused ------------------------------------------------------------------------------------------------------

void activation(Maker& m, std::string_view op) {
    const Value x = tame_data(m, 1, 4);
    std::vector<std::string> inputs{x.name};
    Attributes attributes;
    const bool biased = op.ends_with("BiasGelu") || (op.ends_with("FastGelu") && m.chance(0.5));
    if (biased) inputs.push_back(m.weight(kReal, {x.shape.back()}).name);
    if (op == "Gelu" && m.chance(0.5)) attributes.push_back(attribute("approximate", "tanh"));
    if ((op == "Swish" || op.ends_with("QuickGelu")) && m.chance(0.5)) attributes.push_back(attribute("alpha", 0.7));
    m.node(op, inputs, attributes);
}

void add_activation(Maker& m, Attributes& attributes, bool listed) {
    const std::string name = m.one_of({"", "Relu", "Tanh", "Sigmoid", "LeakyRelu"});
    if (name.empty() || (name == "LeakyRelu" && !listed)) return;
    attributes.push_back(attribute("activation", name));
    if (name == "LeakyRelu") attributes.push_back(attribute("activation_params", std::vector<double>{0.2}));
}

void fused_convolution(Maker& m, std::string_view op) {
    const int64_t channels = m.between(1, 4), outputs = m.between(1, 4);
    const Value x = tame(m, {1, channels, m.between(3, 6), m.between(3, 6)});
    Attributes attributes;
    add_activation(m, attributes, true);
    m.node(op, {x.name, m.weight(kReal, {outputs, channels, 3, 3}).name, m.weight(kReal, {outputs}).name}, attributes);
}

void fused_product(Maker& m, std::string_view op) {
    const int64_t rows = m.between(1, 4), depth = m.between(1, 5), columns = m.between(1, 4);
    const bool a = m.chance(0.4), b = m.chance(0.4), gemm = op.ends_with("FusedGemm");
    Shape left = a ? Shape{depth, rows} : Shape{rows, depth}, right = b ? Shape{columns, depth} : Shape{depth, columns};
    if (!gemm && m.chance(0.5)) left.insert(left.begin(), 2), right.insert(right.begin(), 2);
    std::vector<std::string> inputs{tame(m, left).name, tame(m, right).name};
    Attributes attributes{attribute("alpha", 0.5)};
    if (a) attributes.push_back(attribute("transA", 1));
    if (b) attributes.push_back(attribute("transB", 1));
    if (gemm) {
        inputs.push_back(m.weight(kReal, {columns}).name);
        add_activation(m, attributes, false);
    }
    m.node(op, inputs, attributes);
}

void quantized_weights(Maker& m, std::string_view op) {
    const int64_t bits = m.one_of({4, 8}), block = m.one_of({16, 32}), rows = m.between(1, 5),
                  depth = m.one_of({16, 24, 32, 40, 64});
    const int64_t blocks = (depth + block - 1) / block;
    const auto bytes = [&](const Shape& shape) {
        return m.filled(kByte, shape, [&](int64_t) { return double(m.between(0, 255)); }).name;
    };
    std::vector<std::string> inputs{tame(m, {m.between(1, 3), depth}).name, bytes({rows, blocks, block * bits / 8}),
                                    m.filled(kReal, {rows * blocks}, [&](int64_t) {
                                         return m.one_of({0.01, 0.02, 0.05});
                                     }).name};
    if (m.chance(0.5)) inputs.push_back(bytes({rows * ((blocks * bits + 7) / 8)}));
    m.node(op, inputs,
           {attribute("N", rows), attribute("K", depth), attribute("bits", bits), attribute("block_size", block)});
}

// --- quantized --------------------------------------------------------------------------------------------------

struct Quantized {
    std::string data, scale, zero_point;
};

Quantized quantized(Maker& m, int type, const Shape& shape) {
    const int64_t low = type == kByte ? 0 : -128, high = type == kByte ? 255 : 127;
    return {m.filled(
                 type, shape, [&, low, high](int64_t) { return double(m.between(low, high)); }, false)
                .name,
            m.filled(kReal, {},
                     [&](int64_t) {
                         return m.one_of({0.125, 0.0625, 0.1});
                     })
                .name,
            m.filled(type, {}, [&, type](int64_t) {
                 return double(m.between(type == kByte ? 100 : -5, type == kByte ? 140 : 5));
             }).name};
}

void quantized_elementwise(Maker& m, std::string_view op) {
    const int type = m.one_of({kByte, kSignedByte});
    const bool pool = op.ends_with("AveragePool");
    const Shape shape = m.shape(pool ? 4 : 1, 4, false);
    const Quantized x = quantized(m, type, shape), y = quantized(m, type, {1});
    std::vector<std::string> inputs{x.data, x.scale, x.zero_point};
    if (op.ends_with("Add") || op.ends_with("Mul")) {
        const Quantized other = quantized(m, type, shape);
        inputs.insert(inputs.end(), {other.data, other.scale, other.zero_point});
    }
    inputs.insert(inputs.end(), {y.scale, y.zero_point});
    Attributes attributes;
    if (op.ends_with("LeakyRelu")) attributes.push_back(attribute("alpha", 0.2));
    m.inexact();
    m.node(op, inputs, attributes);
}

void quantized_concatenation(Maker& m, std::string_view op) {
    const int type = m.one_of({kByte, kSignedByte});
    Shape shape = m.shape(2, 3, false);
    const Quantized y = quantized(m, type, {1});
    std::vector<std::string> inputs{y.scale, y.zero_point};
    for (int64_t i = m.between(1, 3); i > 0; --i) {
        const Quantized part = quantized(m, type, shape);
        inputs.insert(inputs.end(), {part.data, part.scale, part.zero_point});
        shape[1] = m.between(1, 4);
    }
    m.inexact();
    m.node(op, inputs, {attribute("axis", 1)});
}

void blocked_quantization(Maker& m, std::string_view op) {
    const int type = m.one_of({kByte, kSignedByte});
    const bool back = op == "DequantizeLinear";
    const int64_t block = m.between(1, 3), blocks = m.between(1, 3), axis = m.between(0, 1);
    Shape shape{m.between(1, 4), m.between(1, 4)}, scales = shape;
    shape[size_t(axis)] = block * blocks;
    scales[size_t(axis)] = blocks;
    const std::string x = back ? quantized(m, type, shape).data : tame(m, shape).name;
    const std::string zero = m.filled(type, scales, [&](int64_t) { return double(m.between(0, 5)); }).name;
    m.inexact();
    m.node(op,
           {x,
            m.filled(kReal, scales,
                     [&](int64_t) {
                         return m.one_of({0.125, 0.1});
                     })
                .name,
            zero},
           {attribute("axis", axis), attribute("block_size", block)});
}

// --- others -----------------------------------------------------------------------------------------------------

void affine_grid(Maker& m, std::string_view op) {
    const int64_t rank = m.between(2, 3), batch = m.between(1, 2);
    Shape size{batch, m.between(1, 3)};
    for (int64_t i = 0; i < rank; ++i) size.push_back(m.between(2, 5));
    m.node(op, {tame(m, {batch, rank, rank + 1}).name, m.integers(size).name},
           {attribute("align_corners", m.between(0, 1))});
}

void center_crop_pad(Maker& m, std::string_view op) {
    const Value x = m.data({.types = {kReal}, .least_rank = 1, .non_empty = true});
    Shape wanted, axes;
    for (int i = 0; i < x.rank(); ++i)
        if (m.chance(0.7)) axes.push_back(m.chance(0.5) ? i : i - x.rank()), wanted.push_back(m.between(1, 9));
    if (axes.empty()) axes = {0}, wanted = {m.between(1, 9)};
    m.node(op, {x.name, m.integers(wanted).name}, {attribute("axes", axes)}, Effect::Exact);
}

void column_to_image(Maker& m, std::string_view op) {
    const int64_t channels = m.between(1, 3);
    Shape image, block, strides, pads(4, 0), dilations;
    int64_t places = 1, blocks = 1;
    for (size_t i = 0; i < 2; ++i) {
        image.push_back(m.between(3, 6));
        block.push_back(m.between(1, 2));
        dilations.push_back(m.between(1, 2));
        strides.push_back(m.between(1, 2));
        pads[i] = m.between(0, 1), pads[i + 2] = m.between(0, 1);
        places *= block[i];
        blocks *= (image[i] + pads[i] + pads[i + 2] - dilations[i] * (block[i] - 1) - 1) / strides[i] + 1;
    }
    m.node(op,
           {tame(m, {m.between(1, 2), channels * places, blocks}).name, m.integers(image).name, m.integers(block).name},
           {attribute("strides", strides), attribute("pads", pads), attribute("dilations", dilations)});
}

const Recipe kRecipes[] = {
    {{"Attention"}, 23, attention},
    {{"RMSNormalization"}, 23, rms_normalization},
    {{"SimplifiedLayerNormalization"}, 7, rms_normalization},
    {{"RotaryEmbedding"}, 23, rotary},
    {{"TensorScatter"}, 24, tensor_scatter},
    {{"Gelu"}, 20, activation},
    {{"Swish"}, 24, activation},
    {{"AffineGrid"}, 20, affine_grid},
    {{"CenterCropPad"}, 18, center_crop_pad},
    {{"Col2Im"}, 18, column_to_image},
    {{"DequantizeLinear", "QuantizeLinear"}, 21, blocked_quantization},
    {{"com.microsoft.DecoderMaskedMultiHeadAttention"}, 7, decoder_attention},
    {{"com.microsoft.MultiHeadAttention"}, 7, multi_head_attention},
    {{"com.microsoft.GroupQueryAttention"}, 7, group_query_attention},
    {{"com.microsoft.RotaryEmbedding"}, 7, rotary},
    {{"com.microsoft.SkipLayerNormalization", "com.microsoft.SkipSimplifiedLayerNormalization"}, 7, skip_normalization},
    {{"com.microsoft.EmbedLayerNormalization"}, 7, embedding},
    {{"com.microsoft.BiasGelu", "com.microsoft.FastGelu", "com.microsoft.Gelu", "com.microsoft.QuickGelu"},
     7,
     activation},
    {{"com.microsoft.FusedConv"}, 7, fused_convolution},
    {{"com.microsoft.FusedGemm", "com.microsoft.FusedMatMul"}, 7, fused_product},
    {{"com.microsoft.MatMulNBits"}, 7, quantized_weights},
    {{"com.microsoft.QLinearAdd", "com.microsoft.QLinearMul", "com.microsoft.QLinearSigmoid",
      "com.microsoft.QLinearLeakyRelu", "com.microsoft.QLinearGlobalAveragePool"},
     7,
     quantized_elementwise},
    {{"com.microsoft.QLinearConcat"}, 7, quantized_concatenation},
};

}  // namespace

std::span<const Recipe> transformer_recipes() { return kRecipes; }

}  // namespace partita::fuzz
