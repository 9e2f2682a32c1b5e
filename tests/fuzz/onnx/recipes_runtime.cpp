// Quantized and packed operators of com.microsoft, and others that ONNX Runtime has of its own.
#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

using Maker = GraphMaker;

std::string tame(Maker& m, const Shape& shape) { return m.fresh(kReal, shape, true).name; }

/// Bytes with one scale and one zero point.
struct Bytes {
    std::string data, scale, zero_point;
};

/// Signed ones up to 64, as in recipes_network.cpp.
std::string byte_tensor(Maker& m, int type, const Shape& shape, bool known = false) {
    const int64_t low = type == kByte ? 0 : -64, high = type == kByte ? 255 : 64;
    return m
        .filled(
            type, shape, [&m, low, high](int64_t) { return double(m.between(low, high)); }, known)
        .name;
}

std::string scales(Maker& m, const Shape& shape) {
    return m.filled(kReal, shape, [&](int64_t) { return m.one_of({0.125, 0.0625, 0.1}); }).name;
}

std::string zero_points(Maker& m, int type, const Shape& shape) {
    return m
        .filled(type, shape,
                [&m, type](int64_t) { return double(m.between(type == kByte ? 100 : -5, type == kByte ? 140 : 5)); })
        .name;
}

Bytes bytes_of(Maker& m, int type, const Shape& shape) {
    return {byte_tensor(m, type, shape), scales(m, {}), zero_points(m, type, {})};
}

int byte_type(Maker& m) { return m.one_of({kByte, kSignedByte}); }

// --- attention --------------------------------------------------------------------------------------------------

struct Projection {
    int64_t batch, rows, heads, size, depth, past;
    int64_t width() const { return heads * size; }
};

Projection choose_projection(Maker& m) {
    return {m.between(1, 2),     m.between(1, 4), m.between(1, 3),
            m.one_of({2, 4, 8}), m.between(1, 5), m.chance(0.3) ? m.between(1, 3) : 0};
}

/// A mask in one of its forms; the first key is always seen.
std::string mask(Maker& m, const Projection& p) {
    const int64_t keys = p.rows + p.past;
    if (p.past == 0 && m.chance(0.4))
        return m
            .filled(
                kInteger, {p.batch}, [&](int64_t) { return double(m.between(1, keys)); }, false)
            .name;
    const Shape shape = m.chance(0.5) ? Shape{p.batch, keys} : Shape{p.batch, p.rows, keys};
    return m
        .filled(
            kInteger, shape, [&](int64_t i) { return double(i % keys == 0 || m.chance(0.7)); }, false)
        .name;
}

void attention(Maker& m, std::string_view op) {
    const Projection p = choose_projection(m);
    std::vector<std::string> inputs{tame(m, {p.batch, p.rows, p.depth}), m.weight(kReal, {p.depth, 3 * p.width()}).name,
                                    m.weight(kReal, {3 * p.width()}).name};
    inputs.resize(6);
    if (m.chance(0.4)) inputs[3] = mask(m, p);
    if (p.past) inputs[4] = tame(m, {2, p.batch, p.heads, p.past, p.size});
    else if (m.chance(0.4)) inputs[5] = tame(m, {p.batch, p.heads, p.rows, p.rows});
    while (inputs.back().empty()) inputs.pop_back();
    Attributes attributes{attribute("num_heads", p.heads)};
    if (m.chance(0.3)) attributes.push_back(attribute("unidirectional", 1));
    if (m.chance(0.3)) attributes.push_back(attribute("scale", 0.3));
    m.node(op, inputs, attributes, Effect::Rounded, p.past ? 2 : 1);
}

void quantized_attention(Maker& m, std::string_view op) {
    const Projection p = choose_projection(m);
    const int type = byte_type(m);
    std::vector<std::string> inputs{byte_tensor(m, kByte, {p.batch, p.rows, p.depth}),
                                    byte_tensor(m, type, {p.depth, 3 * p.width()}, true),
                                    m.weight(kReal, {3 * p.width()}).name,
                                    scales(m, {}),
                                    m.scalar(kReal, 0.01).name,
                                    "",
                                    zero_points(m, kByte, {}),
                                    zero_points(m, type, {})};
    m.inexact();
    Attributes attributes{attribute("num_heads", p.heads)};
    if (m.chance(0.3)) attributes.push_back(attribute("unidirectional", 1));
    m.node(op, inputs, attributes);
}

void quantized_embedding(Maker& m, std::string_view op) {
    const int64_t batch = m.between(1, 2), rows = m.between(1, 4), width = m.between(1, 8);
    const auto indices = [&](int64_t count) {
        return m
            .filled(
                kInteger, {batch, rows}, [&m, count](int64_t) { return double(m.between(0, count - 1)); }, false)
            .name;
    };
    std::vector<std::string> inputs{indices(5), indices(2)};
    const Shape tables[] = {{5, width}, {rows + 1, width}, {2, width}, {width}, {width}};
    for (const Shape& table : tables) inputs.push_back(byte_tensor(m, kByte, table, true));
    inputs.push_back("");
    for (int i = 0; i < 5; ++i) inputs.push_back(scales(m, {}));
    for (int i = 0; i < 5; ++i) inputs.push_back(zero_points(m, kByte, {}));
    m.inexact();
    m.node(op, inputs, {attribute("epsilon", 1e-3)}, Effect::Rounded, 2);
}

// --- products of bytes ------------------------------------------------------------------------------------------

void integer_product(Maker& m, std::string_view op) {
    const int64_t rows = m.between(1, 4), depth = m.between(1, 6), columns = m.between(1, 4);
    const int type = byte_type(m);
    const bool dynamic = op.ends_with("DynamicQuantizeMatMul"), by_column = m.chance(0.4);
    const Shape per = by_column ? Shape{columns} : Shape{};
    const std::string b = byte_tensor(m, type, {depth, columns}, true);
    std::vector<std::string> inputs;
    if (dynamic) inputs = {tame(m, {rows, depth}), b, scales(m, per)};
    else inputs = {byte_tensor(m, kByte, {rows, depth}), b, scales(m, {}), scales(m, per)};
    const bool shifted = m.chance(0.5), biased = m.chance(0.5);
    if (!dynamic) inputs.push_back(shifted ? zero_points(m, kByte, {}) : "");
    inputs.push_back(shifted ? zero_points(m, type, per) : "");
    inputs.push_back(biased ? m.weight(kReal, {columns}).name : "");
    while (inputs.back().empty()) inputs.pop_back();
    m.inexact();
    m.node(op, inputs);
}

void short_product(Maker& m, std::string_view op) {
    const int64_t rows = m.between(1, 4), depth = m.between(1, 6), columns = m.between(1, 4);
    const auto numbers = [&](const Shape& shape) {
        return m
            .filled(
                kShort16, shape, [&](int64_t) { return double(m.between(-3000, 3000)); }, false)
            .name;
    };
    m.node(op, {numbers({rows, depth}), numbers({depth, columns})}, {}, Effect::Exact);
}

void quantized_gemm(Maker& m, std::string_view op) {
    const int64_t rows = m.between(1, 4), depth = m.between(1, 6), columns = m.between(1, 4);
    const bool a_swapped = m.chance(0.4), b_swapped = m.chance(0.4), by_column = m.chance(0.3);
    const int type = byte_type(m);
    const Shape per = by_column ? Shape{columns} : Shape{};
    std::vector<std::string> inputs{
        byte_tensor(m, kByte, a_swapped ? Shape{depth, rows} : Shape{rows, depth}),
        scales(m, {}),
        zero_points(m, kByte, {}),
        byte_tensor(m, type, b_swapped ? Shape{columns, depth} : Shape{depth, columns}, true),
        scales(m, per),
        zero_points(m, type, per),
        m.chance(0.5) ? m.filled(kInteger, {columns}, [&](int64_t) { return double(m.between(-500, 500)); }).name : ""};
    if (m.chance(0.5)) inputs.insert(inputs.end(), {m.scalar(kReal, 2).name, zero_points(m, kByte, {})});
    while (inputs.back().empty()) inputs.pop_back();
    Attributes attributes;
    if (a_swapped) attributes.push_back(attribute("transA", 1));
    if (b_swapped) attributes.push_back(attribute("transB", 1));
    m.inexact();
    m.node(op, inputs, attributes);
}

void quantized_recurrence(Maker& m, std::string_view op) {
    const int64_t length = m.between(1, 4), batch = m.between(1, 3), inputs_count = m.between(1, 4),
                  hidden = m.between(1, 4);
    const std::string direction = m.one_of({"forward", "reverse", "bidirectional"});
    const int64_t directions = direction == "bidirectional" ? 2 : 1, columns = 4 * hidden;
    const int type = byte_type(m);
    const Shape per = m.chance(0.3) ? Shape{directions, columns} : Shape{directions};
    const auto state = [&] {
        return m.chance(0.4) ? m.weight(kReal, {directions, batch, hidden}).name : std::string();
    };
    const auto lengths = [&](int64_t) { return double(m.between(1, length)); };
    std::vector<std::string> inputs{tame(m, {length, batch, inputs_count}),
                                    byte_tensor(m, type, {directions, inputs_count, columns}, true),
                                    byte_tensor(m, type, {directions, hidden, columns}, true),
                                    m.chance(0.6) ? m.weight(kReal, {directions, 2 * columns}).name : "",
                                    m.chance(0.3) ? m.filled(kInteger, {batch}, lengths).name : "",
                                    state(),
                                    state(),
                                    m.chance(0.3) ? m.weight(kReal, {directions, 3 * hidden}).name : ""};
    for (int matrix = 0; matrix < 2; ++matrix) {
        // ONNX Runtime has one zero point for all columns, and none but 0 for signed bytes.
        const auto zero = type == kByte ? double(m.between(100, 140)) : 0.0;
        inputs.push_back(scales(m, per));
        inputs.push_back(m.filled(type, per, [zero](int64_t) { return zero; }).name);
    }
    Attributes attributes{attribute("hidden_size", hidden), attribute("direction", direction)};
    if (m.chance(0.2)) attributes.push_back(attribute("clip", 0.75));
    if (m.chance(0.2)) attributes.push_back(attribute("input_forget", 1));
    m.inexact();
    m.node(op, inputs, attributes, Effect::Wild, 3);
}

void quantized_convolution(Maker& m, std::string_view op) {
    const int64_t channels = m.between(1, 3), outputs = m.between(1, 3);
    const Bytes x = bytes_of(m, kByte, {1, channels, m.between(3, 5), m.between(3, 5)}), y = bytes_of(m, kByte, {1});
    m.inexact();
    m.node(op, {x.data, x.scale, x.zero_point, byte_tensor(m, kByte, {outputs, channels, 2, 2}, true), scales(m, {}),
                zero_points(m, kByte, {}), y.scale, y.zero_point});
}

// --- mixtures of experts ----------------------------------------------------------------------------------------

struct Mixture {
    int64_t experts, hidden, inner;
    bool gated;
    int64_t columns() const { return gated ? 2 * inner : inner; }
};

/// Returns the data and the ratings, of which no two are equal: the runtime takes the last of equals.
std::vector<std::string> rated_data(Maker& m, const Mixture& mixture) {
    const int64_t batch = m.between(1, 2), rows = m.between(1, 4);
    const Shape flat{batch * rows, mixture.hidden}, stacked{batch, rows, mixture.hidden};
    return {tame(m, m.chance(0.5) ? stacked : flat),
            m.filled(
                 kReal, {batch * rows, mixture.experts}, [&](int64_t) { return m.real(-2, 2); }, false)
                .name};
}

Attributes mixture_attributes(Maker& m, const Mixture& mixture) {
    Attributes attributes{attribute("k", m.between(1, mixture.experts))};
    attributes.push_back(
        attribute("activation_type", mixture.gated ? "swiglu" : m.one_of({"relu", "gelu", "silu", "identity"})));
    // Beside other activations these mean nothing.
    if (!mixture.gated && m.chance(0.7)) return attributes;
    attributes.push_back(attribute("swiglu_fusion", mixture.gated ? 1 : 0));
    if (m.chance(0.6)) attributes.push_back(attribute("activation_alpha", 1.702));
    if (m.chance(0.6)) attributes.push_back(attribute("activation_beta", 1.0));
    if (m.chance(0.4)) attributes.push_back(attribute("swiglu_limit", 0.75));
    return attributes;
}

void mixture_of_experts(Maker& m, std::string_view op) {
    const Mixture x{m.between(1, 4), m.between(2, 5), m.between(6, 9), m.chance(0.4)};
    std::vector<std::string> inputs = rated_data(m, x);
    const auto optional = [&](const Shape& shape) { return m.chance(0.5) ? m.weight(kReal, shape).name : ""; };
    inputs.push_back(m.weight(kReal, {x.experts, x.columns(), x.hidden}).name);
    inputs.push_back(optional({x.experts, x.columns()}));
    inputs.push_back(m.weight(kReal, {x.experts, x.hidden, x.inner}).name);
    inputs.push_back(optional({x.experts, x.hidden}));
    Attributes attributes = mixture_attributes(m, x);
    if (m.chance(0.5)) attributes.push_back(attribute("normalize_routing_weights", 1));
    m.node(op, inputs, attributes);
}

void quantized_mixture(Maker& m, std::string_view op) {
    const Mixture x{m.between(1, 4), m.one_of({64, 96}), m.one_of({128, 160}), m.chance(0.4)};
    const int64_t bits = m.one_of({4, 8}), block = m.one_of({0, 16, 32});
    const bool shifted = block > 0 && m.chance(0.4);
    std::vector<std::string> inputs = rated_data(m, x), zeros;
    for (const auto& [rows, depth] : {std::pair{x.columns(), x.hidden}, std::pair{x.hidden, x.inner}}) {
        const int64_t blocks = block ? depth / block : 1, packed = bits == 4 ? (blocks + 1) / 2 : blocks;
        const Shape by_row{x.experts, rows}, by_block{x.experts, rows, blocks};
        inputs.push_back(byte_tensor(m, kByte, {x.experts, rows, depth * bits / 8}, true));
        inputs.push_back(m.filled(kReal, block ? by_block : by_row, [&](int64_t) {
                              return m.one_of({0.01, 0.02}) / double(bits == 8 ? 16 : 1);
                          }).name);
        inputs.push_back(m.chance(0.5) ? m.weight(kReal, by_row).name : "");
        zeros.push_back(shifted ? byte_tensor(m, kByte, {x.experts, rows, packed}, true) : "");
    }
    inputs.resize(11);
    if (shifted) inputs.insert(inputs.end(), zeros.begin(), zeros.end());
    Attributes attributes = mixture_attributes(m, x);
    attributes.push_back(attribute("expert_weight_bits", bits));
    if (block) attributes.push_back(attribute("block_size", block));
    m.node(op, inputs, attributes);
}

// --- other quantized operators ----------------------------------------------------------------------------------

void quantized_pool(Maker& m, std::string_view op) {
    const bool maximum = op.ends_with("NhwcMaxPool"), last = maximum || m.chance(0.4);
    const int type = byte_type(m);
    const int64_t channels = m.between(1, 3), height = m.between(3, 6), width = m.between(3, 6);
    const Shape shape = last ? Shape{1, height, width, channels} : Shape{1, channels, height, width};
    Attributes attributes{attribute("kernel_shape", Shape{2, 2}),
                          attribute("strides", Shape{m.between(1, 2), m.between(1, 2)})};
    if (m.chance(0.4)) attributes.push_back(attribute("pads", Shape{1, 0, 0, 1}));
    if (maximum) return void(m.node(op, {byte_tensor(m, type, shape)}, attributes, Effect::Exact));
    if (last) attributes.push_back(attribute("channels_last", 1));
    if (m.chance(0.4)) attributes.push_back(attribute("count_include_pad", 1));
    const Bytes x = bytes_of(m, type, shape), y = bytes_of(m, type, {1});
    m.inexact();
    m.node(op, {x.data, x.scale, x.zero_point, y.scale, y.zero_point}, attributes);
}

void quantized_softmax(Maker& m, std::string_view op) {
    const int type = byte_type(m);
    const Shape shape = m.shape(2, 3, false);
    const Bytes x = bytes_of(m, type, shape);
    m.inexact();
    const int64_t axis = m.between(0, int64_t(shape.size()) - 1);
    m.node(
        op,
        {x.data, x.scale, x.zero_point, m.scalar(kReal, 1.0 / 256).name, m.scalar(type, type == kByte ? 0 : -128).name},
        {attribute("axis", axis), attribute("opset", m.one_of({12, 13}))});
}

void quantized_choice(Maker& m, std::string_view op) {
    const int type = byte_type(m);
    const Shape shape = m.shape(1, 3, false);
    const Bytes x = bytes_of(m, type, shape), y = bytes_of(m, type, shape), z = bytes_of(m, type, {1});
    const std::string condition = m.filled(
                                       kTruth, shape, [&](int64_t) { return double(m.between(0, 1)); }, false)
                                      .name;
    m.inexact();
    m.node(op, {condition, x.data, x.scale, x.zero_point, y.data, y.scale, y.zero_point, z.scale, z.zero_point});
}

void quantized_mean(Maker& m, std::string_view op) {
    const int type = byte_type(m);
    const Bytes x = bytes_of(m, type, m.shape(2, 3, false)), y = bytes_of(m, type, {1});
    m.inexact();
    m.node(op, {x.data, x.scale, x.zero_point, y.scale, y.zero_point},
           {attribute("axes", Shape{1}), attribute("keepdims", m.between(0, 1))});
}

// --- packed weights ---------------------------------------------------------------------------------------------

void four_bit_product(Maker& m, std::string_view op) {
    const int64_t block = 16, rows = m.between(1, 4), depth = m.one_of({16, 32});
    m.node(op,
           {tame(m, {m.between(1, 3), depth}), byte_tensor(m, kByte, {rows * depth / 2}, true),
            scales(m, {rows * depth / block})},
           {attribute("N", rows), attribute("K", depth), attribute("block_size", block),
            attribute("quant_type", m.between(0, 1))});
}

void block_gather(Maker& m, std::string_view op) {
    const int64_t block = 16, rows = m.between(2, 5), width = m.one_of({16, 32, 48}), bits = m.one_of({4, 8});
    std::vector<std::string> inputs{
        byte_tensor(m, kByte, {rows, width * bits / 8}, true),
        m.filled(
             kLong, m.one_of<Shape>({{2}, {2, 2}}), [&](int64_t) { return double(m.between(0, rows - 1)); }, false)
            .name,
        scales(m, {rows, width / block})};
    if (m.chance(0.5)) inputs.push_back(byte_tensor(m, kByte, {rows, (width / block * bits + 7) / 8}, true));
    m.node(op, inputs,
           {attribute("bits", bits), attribute("block_size", block), attribute("gather_axis", 0),
            attribute("quantize_axis", 1)});
}

// --- floating point ---------------------------------------------------------------------------------------------

void deformable_convolution(Maker& m, std::string_view op) {
    const int64_t groups = m.between(1, 2), offset_groups = m.between(1, 2), channels = groups * offset_groups,
                  outputs = groups * m.between(1, 2), height = m.between(3, 5), width = m.between(3, 5),
                  batch = m.between(1, 2), pad = m.between(0, 1), stride = m.between(1, 2);
    const int64_t rows = (height + 2 * pad - 2) / stride + 1, columns = (width + 2 * pad - 2) / stride + 1;
    const auto offsets = m.filled(
        kReal, {batch, offset_groups * 8, rows, columns}, [&](int64_t) { return m.real(-1.2, 1.2); }, false);
    std::vector<std::string> inputs{tame(m, {batch, channels, height, width}),
                                    m.weight(kReal, {outputs, channels / groups, 2, 2}).name, offsets.name,
                                    m.chance(0.5) ? m.weight(kReal, {outputs}).name : ""};
    if (m.chance(0.5)) inputs.push_back(tame(m, {batch, offset_groups * 4, rows, columns}));
    while (inputs.back().empty()) inputs.pop_back();
    m.node(op, inputs,
           {attribute("pads", Shape{pad, pad, pad, pad}), attribute("strides", Shape{stride, stride}),
            attribute("group", groups), attribute("offset_group", offset_groups)});
}

void distances(Maker& m, std::string_view op) {
    const int64_t depth = m.between(1, 4);
    m.node(op, {tame(m, {m.between(1, 4), depth}), tame(m, {m.between(1, 4), depth})},
           {attribute("metric", m.one_of({"sqeuclidean", "euclidean"}))});
}

void further_axis(Maker& m, std::string_view op) {
    const Value x = m.data({.types = {kReal}, .greatest_rank = 3});
    m.node(op, {x.name, m.scalar(kInteger, double(m.between(-x.rank() - 1, x.rank()))).name}, {}, Effect::Exact);
}

void triangle(Maker& m, std::string_view op) {
    m.node(op, {m.fresh(kReal, m.shape(2, 3, false)).name, m.scalar(kLong, double(m.between(-2, 2))).name},
           {attribute("upper", m.between(0, 1))}, Effect::Exact);
}

void padded(Maker& m, std::string_view op) {
    const Shape shape = m.shape(2, 2, false);
    m.node(op,
           {m.fresh(kReal, shape).name, m.integers({m.between(0, 2), m.between(0, 2), m.between(0, 2), 0}).name,
            m.scalar(kReal, 1.5).name},
           {}, Effect::Exact);
}

void numbers(Maker& m, std::string_view op) {
    m.node(op,
           {m.scalar(kLong, double(m.between(-3, 3))).name, m.scalar(kLong, double(m.between(4, 9))).name,
            m.scalar(kLong, double(m.between(1, 3))).name},
           {}, Effect::Exact);
}

void gated(Maker& m, std::string_view op) {
    const Shape shape = m.shape(1, 3, false);
    m.node(op, {tame(m, shape), tame(m, shape)}, {attribute("alpha", 0.7)});
}

void gathered(Maker& m, std::string_view op) {
    const Shape shape{m.between(1, 4), m.between(1, 4), m.between(1, 3)};
    const auto places = m.filled(
        kLong, {m.between(1, 3), 2}, [&](int64_t i) { return double(m.between(0, shape[size_t(i % 2)] - 1)); }, false);
    m.node(op, {m.fresh(kReal, shape).name, places.name}, {}, Effect::Exact);
}

void sampled(Maker& m, std::string_view op) {
    const Shape shape = m.shape(4, 4, false);
    const Value grid = m.filled(
        kReal, {shape[0], m.between(1, 4), m.between(1, 4), 2}, [&](int64_t) { return m.real(-1.4, 1.4); }, false);
    m.node(op, {tame(m, shape), grid.name},
           {attribute("mode", "bilinear"), attribute("padding_mode", m.one_of({"zeros", "border", "reflection"}))});
}

void sampled_in_space(Maker& m, std::string_view op) {
    const Shape shape{1, m.between(1, 2), m.between(2, 4), m.between(2, 4), m.between(2, 4)};
    const Value grid = m.filled(
        kReal, {1, m.between(1, 3), m.between(1, 3), m.between(1, 3), 3}, [&](int64_t) { return m.real(-1.4, 1.4); },
        false);
    m.node(op, {tame(m, shape), grid.name},
           {attribute("mode", m.one_of({"linear", "nearest"})), attribute("align_corners", m.between(0, 1)),
            attribute("padding_mode", m.one_of({"zeros", "border", "reflection"}))});
}

void swapped_product(Maker& m, std::string_view op) {
    const int64_t rows = m.between(1, 4), depth = m.between(1, 5), columns = m.between(1, 4);
    m.node(op, {tame(m, {depth, rows}), tame(m, {depth, columns})}, {attribute("transA", 1), attribute("alpha", 0.5)});
}

void inverse(Maker& m, std::string_view op) {
    Shape shape = m.shape(0, 2, false);
    shape.insert(shape.end(), 2, m.between(1, 6));
    m.node(op, {m.fresh(kReal, shape, true).name});
}

void unfold(Maker& m, std::string_view op) {
    const Shape shape = m.shape(1, 4, false);
    const int64_t axis = m.between(0, int64_t(shape.size()) - 1), extent = shape[size_t(axis)];
    Attributes attributes{attribute("size", m.between(1, extent))};
    if (axis + 1 != int64_t(shape.size()) || m.chance(0.5))
        attributes.push_back(attribute("dim", m.chance(0.5) ? axis : axis - int64_t(shape.size())));
    if (m.chance(0.5)) attributes.push_back(attribute("step", m.between(1, 3)));
    m.node(op, {m.fresh(kReal, shape, true).name}, attributes);
}

const Recipe kRecipes[] = {
    {{"DeformConv"}, 19, deformable_convolution},
    {{"GridSample"}, 20, sampled_in_space},
    {{"SwiGLU"}, 24, gated},
    {{"com.microsoft.Attention"}, 7, attention},
    {{"com.microsoft.CDist"}, 7, distances},
    {{"com.microsoft.Inverse"}, 7, inverse},
    {{"com.microsoft.UnfoldTensor"}, 7, unfold},
    {{"com.microsoft.DynamicQuantizeMatMul", "com.microsoft.MatMulIntegerToFloat"}, 7, integer_product},
    {{"com.microsoft.DynamicQuantizeLSTM"}, 7, quantized_recurrence},
    {{"com.microsoft.ExpandDims"}, 7, further_axis},
    {{"com.microsoft.GatherBlockQuantized"}, 7, block_gather},
    {{"com.microsoft.GatherND"}, 7, gathered},
    {{"com.microsoft.GridSample"}, 7, sampled},
    {{"com.microsoft.MatMulBnb4"}, 7, four_bit_product},
    {{"com.microsoft.MatMulInteger16"}, 7, short_product},
    {{"com.microsoft.NhwcMaxPool", "com.microsoft.QLinearAveragePool"}, 11, quantized_pool},
    {{"com.microsoft.Pad"}, 11, padded},
    {{"com.microsoft.QAttention"}, 7, quantized_attention},
    {{"com.microsoft.QEmbedLayerNormalization"}, 7, quantized_embedding},
    {{"com.microsoft.QGemm"}, 7, quantized_gemm},
    {{"com.microsoft.MoE"}, 7, mixture_of_experts},
    {{"com.microsoft.QMoE"}, 7, quantized_mixture},
    {{"com.microsoft.QLinearConv"}, 7, quantized_convolution},
    {{"com.microsoft.QLinearReduceMean"}, 7, quantized_mean},
    {{"com.microsoft.QLinearSoftmax"}, 7, quantized_softmax},
    {{"com.microsoft.QLinearWhere"}, 7, quantized_choice},
    {{"com.microsoft.Range"}, 7, numbers},
    {{"com.microsoft.TransposeMatMul"}, 7, swapped_product},
    {{"com.microsoft.Trilu"}, 7, triangle},
};

}  // namespace

std::span<const Recipe> runtime_recipes() { return kRecipes; }

}  // namespace partita::fuzz
