// Convolutions, pooling, normalisation, quantization and recurrence.
#include <algorithm>

#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

namespace w = onnx_writer;
using Maker = GraphMaker;

/// The attributes of a sliding window, chosen so that at least one fits.
struct WindowChoice {
    Shape kernel, strides, dilations, pads;
    std::string auto_pad = "NOTSET";
    bool ceil_mode = false;
};

WindowChoice choose_window(Maker& m, const Shape& spatial, bool pooling) {
    WindowChoice window;
    const size_t rank = spatial.size();
    window.pads.assign(2 * rank, 0);
    window.auto_pad = m.one_of({"NOTSET", "NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
    const bool same = window.auto_pad.starts_with("SAME"), dilated = !pooling || m.opset() >= 10;
    for (size_t i = 0; i < rank; ++i) {
        window.kernel.push_back(m.between(1, std::min<int64_t>(3, spatial[i])));
        window.strides.push_back(m.one_of({1, 1, 2, 3, 4}));
        // With SAME, the runtime pads for undilated pooling windows, and by a negative amount if they skip data.
        if (same && pooling) window.strides[i] = std::min(window.strides[i], window.kernel[i]);
        const bool fits = (window.kernel[i] - 1) * 2 + 1 <= spatial[i];
        window.dilations.push_back(dilated && fits && !(same && pooling) && m.chance(0.25) ? 2 : 1);
        if (window.auto_pad != "NOTSET" || m.chance(0.4)) continue;
        const int64_t most = pooling ? window.kernel[i] - 1 : 2;
        window.pads[i] = m.between(0, most);
        window.pads[i + rank] = m.between(0, most);
    }
    window.ceil_mode = m.chance(0.4);
    return window;
}

Attributes window_attributes(Maker& m, const WindowChoice& window, bool with_dilations) {
    Attributes attributes;
    auto given = [&](const Shape& values, int64_t usual) {
        return m.chance(0.3) ||
               std::any_of(values.begin(), values.end(), [=](int64_t value) { return value != usual; });
    };
    if (given(window.strides, 1)) attributes.push_back(attribute("strides", window.strides));
    if (with_dilations && given(window.dilations, 1)) attributes.push_back(attribute("dilations", window.dilations));
    if (window.auto_pad != "NOTSET") attributes.push_back(attribute("auto_pad", window.auto_pad));
    else if (given(window.pads, 0)) attributes.push_back(attribute("pads", window.pads));
    return attributes;
}

Shape spatial_of(const Value& x) { return {x.shape.begin() + 2, x.shape.end()}; }

/// `tame`: the runtime's maximum of NaN and others depends on their order.
Value image(Maker& m, int least_rank = 3, int greatest_rank = 5, bool tame = false) {
    return m.data(
        {.types = {kReal}, .least_rank = least_rank, .greatest_rank = greatest_rank, .tame = tame, .non_empty = true});
}

int64_t groups_of(Maker& m, int64_t channels) {
    if (m.chance(0.6)) return 1;
    return channels % 2 == 0 && m.chance(0.5) ? 2 : channels;
}

/// With SAME the runtime refuses dilations, and skips data before a stride that leaves more than one element out.
void same_as_specified(WindowChoice& window) {
    if (!window.auto_pad.starts_with("SAME")) return;
    for (size_t i = 0; i < window.kernel.size(); ++i) {
        window.dilations[i] = 1;
        window.strides[i] = std::min(window.strides[i], window.kernel[i] + 1);
    }
}

void convolution(Maker& m, std::string_view op) {
    Value x = image(m);
    WindowChoice window = choose_window(m, spatial_of(x), false);
    same_as_specified(window);
    const int64_t groups = groups_of(m, x.shape[1]), outputs = groups * m.between(1, 3);
    Shape weight{outputs, x.shape[1] / groups};
    weight.insert(weight.end(), window.kernel.begin(), window.kernel.end());
    std::vector<std::string> inputs{x.name, m.weight(kReal, weight).name};
    if (m.chance(0.5)) inputs.push_back(m.weight(kReal, {outputs}).name);
    Attributes attributes = window_attributes(m, window, true);
    if (groups > 1 || m.chance(0.2)) attributes.push_back(attribute("group", groups));
    if (m.chance(0.5)) attributes.push_back(attribute("kernel_shape", window.kernel));
    std::string y = m.node(op, inputs, attributes)[0];
    // Chains that backends fuse.
    if (m.chance(0.3)) y = m.node("Relu", {y})[0];
    else if (m.chance(0.1)) y = m.node("Clip", {y, m.scalar(kReal, 0).name, m.scalar(kReal, 6).name})[0];
}

void transposed_convolution(Maker& m, std::string_view op) {
    Value x = image(m);
    WindowChoice window = choose_window(m, spatial_of(x), false);
    const size_t rank = window.kernel.size();
    for (size_t i = 0; i < rank; ++i) {
        window.kernel[i] = std::max(window.kernel[i], m.between(1, 3));
        // With SAME and a window below the stride, the runtime deviates from the specification.
        if (window.auto_pad.starts_with("SAME"))
            window.strides[i] = std::min(window.strides[i], window.kernel[i]), window.dilations[i] = 1;
        window.pads[i] = std::min(window.pads[i], (window.kernel[i] - 1) / 2);
        window.pads[i + rank] = std::min(window.pads[i + rank], (window.kernel[i] - 1) / 2);
    }
    const int64_t groups = groups_of(m, x.shape[1]), outputs = m.between(1, 3);
    Shape weight{x.shape[1], outputs};
    weight.insert(weight.end(), window.kernel.begin(), window.kernel.end());
    std::vector<std::string> inputs{x.name, m.weight(kReal, weight).name};
    if (m.chance(0.5)) inputs.push_back(m.weight(kReal, {outputs * groups}).name);
    Attributes attributes = window_attributes(m, window, true);
    if (groups > 1) attributes.push_back(attribute("group", groups));
    if (m.chance(0.3) && window.auto_pad == "NOTSET") {
        Shape more;
        for (size_t i = 0; i < rank; ++i) more.push_back(m.between(0, std::max<int64_t>(0, window.strides[i] - 1)));
        attributes.push_back(attribute("output_padding", more));
    }
    m.node(op, inputs, attributes);
}

void pooling(Maker& m, std::string_view op) {
    Value x = image(m, 3, 5, op == "MaxPool");
    if (op == "MaxPool" && m.opset() >= 12 && m.chance(0.1))
        x = m.fresh(m.one_of({kByte, kSignedByte}), m.shape(4, 4, false));
    if (op == "LpPool" && x.type != kReal) return;
    WindowChoice window = choose_window(m, spatial_of(x), true);
    const bool dilated = (op == "MaxPool" && m.opset() >= 10) || (op == "LpPool" && m.opset() >= 18);
    if (!dilated) window.dilations.assign(window.kernel.size(), 1);
    Attributes attributes = window_attributes(m, window, dilated);
    attributes.push_back(attribute("kernel_shape", window.kernel));
    const bool may_ceil = m.opset() >= (op == "LpPool" ? 18 : 10) && window.auto_pad == "NOTSET";
    if (may_ceil && (window.ceil_mode || m.chance(0.2))) attributes.push_back(attribute("ceil_mode", window.ceil_mode));
    int outputs = 1;
    if (op == "MaxPool" && m.opset() >= 8 && m.chance(0.2)) {
        outputs = 2;
        if (m.chance(0.4)) attributes.push_back(attribute("storage_order", m.between(0, 1)));
    }
    if (op == "AveragePool" && m.chance(0.5)) attributes.push_back(attribute("count_include_pad", m.between(0, 1)));
    if (op == "LpPool" && m.chance(0.6)) attributes.push_back(attribute("p", m.between(1, 3)));
    m.node(op, {x.name}, attributes, op == "MaxPool" ? Effect::Exact : Effect::Rounded, outputs);
}

void global_pooling(Maker& m, std::string_view op) {
    Attributes attributes;
    if (op == "GlobalLpPool" && m.chance(0.6)) attributes.push_back(attribute("p", m.between(1, 3)));
    m.node(op, {image(m, 3, 5, op == "GlobalMaxPool").name}, attributes);
}

void batch_normalization(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal}, .least_rank = 2, .greatest_rank = 5, .non_empty = true});
    const Shape channels{x.shape[1]};
    std::vector<std::string> inputs{x.name, m.weight(kReal, channels).name, m.weight(kReal, channels).name,
                                    m.weight(kReal, channels).name, m.positive(channels).name};
    Attributes attributes;
    if (m.chance(0.5)) attributes.push_back(attribute("epsilon", m.one_of({1e-5, 1e-3, 0.1})));
    if (m.opset() >= 14 && m.chance(0.15) && x.shape[0] * x.shape.back() > 1) {
        attributes.push_back(attribute("training_mode", 1));
        m.inexact();
        m.node(op, inputs, attributes, Effect::Wild, 3);
        return;
    }
    m.node(op, inputs, attributes);
}

void normalization(Maker& m, std::string_view op) {
    // The runtime's sum over neighbouring channels keeps a NaN after leaving it.
    Value x = op == "LRN" ? image(m, 4, 4, true) : image(m, 3, 4);
    // A value that consists of rounding errors only, divided by its own size, is large.
    if (op == "LpNormalization") x = m.fresh(kReal, x.shape);
    Attributes attributes;
    std::vector<std::string> inputs{x.name};
    if (op == "InstanceNormalization") {
        inputs.push_back(m.weight(kReal, {x.shape[1]}).name);
        inputs.push_back(m.weight(kReal, {x.shape[1]}).name);
    }
    if (op == "LRN") {
        attributes.push_back(attribute("size", m.one_of({1, 3, 5})));
        if (m.chance(0.5)) attributes.push_back(attribute("alpha", 0.01));
        if (m.chance(0.5)) attributes.push_back(attribute("beta", 0.5));
        if (m.chance(0.5)) attributes.push_back(attribute("bias", 2.0));
    } else if (op == "InstanceNormalization" && m.chance(0.5)) {
        attributes.push_back(attribute("epsilon", 1e-2));
    } else if (op == "LpNormalization") {
        attributes = {attribute("axis", m.axis(x.rank())), attribute("p", m.between(1, 2))};
    } else if (op == "MeanVarianceNormalization" && (x.rank() != 4 || m.chance(0.5))) {
        attributes.push_back(attribute("axes", m.one_of({Shape{0, 2}, Shape{2}, Shape{1, 2}})));
    }
    m.node(op, inputs, attributes, op == "LpNormalization" ? Effect::Wild : Effect::Rounded);
}

void layer_normalization(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal}, .least_rank = 1, .greatest_rank = 4, .non_empty = true});
    const int64_t axis = m.axis(x.rank()), from = axis < 0 ? axis + x.rank() : axis;
    const Shape normalized(x.shape.begin() + from, x.shape.end());
    std::vector<std::string> inputs{x.name, m.weight(kReal, normalized).name};
    if (m.chance(0.7)) inputs.push_back(m.weight(kReal, normalized).name);
    Attributes attributes{attribute("axis", axis)};
    if (m.chance(0.5)) attributes.push_back(attribute("epsilon", 1e-3));
    m.node(op, inputs, attributes, Effect::Rounded, m.chance(0.2) ? 3 : 1);
}

/// GroupNormalization as ONNX defines it: its variance is E(x^2) - E(x)^2, which rounds by the size of x. E(x^2) is
/// moved by some units in the last place.
std::vector<std::string> normalized_groups(const Value& x, int64_t groups, const Value& scale, const Value& bias,
                                           const std::string& result) {
    std::vector<std::string> nodes;
    const auto add = [&](std::string_view op, const std::vector<std::string>& inputs, const std::string& output,
                         const Attributes& attributes = {}) {
        std::vector<std::string> names;
        for (const std::string& input : inputs) names.push_back(input[0] == '.' ? result + input : input);
        nodes.push_back(w::node(op, names, {result + output}, attributes));
    };
    const auto numbers = [&](const std::string& name, const Shape& values) {
        add("Constant", {}, name, {attribute("value_ints", values)});
    };
    const Shape &weights = scale.shape, in_groups{x.shape[0], groups, -1}, in_weights{x.shape[0], weights[0], -1};
    numbers(".groups", in_groups);
    numbers(".weights", in_weights);
    numbers(".weight", {1, weights[0], 1});
    numbers(".shape", x.shape);
    numbers(".axis", {2});
    add("Constant", {}, ".moved", {attribute("value_float", 1 + 1e-6)});
    add("Constant", {}, ".epsilon", {attribute("value_float", 1e-5)});
    add("Reshape", {x.name, ".groups"}, ".x");
    add("ReduceMean", {".x", ".axis"}, ".mean");
    add("Mul", {".x", ".x"}, ".squares");
    add("ReduceMean", {".squares", ".axis"}, ".square");
    add("Mul", {".square", ".moved"}, ".shaken");
    add("Mul", {".mean", ".mean"}, ".of_mean");
    add("Sub", {".shaken", ".of_mean"}, ".variance");
    add("Add", {".variance", ".epsilon"}, ".above");
    add("Sqrt", {".above"}, ".deviation");
    add("Sub", {".x", ".mean"}, ".centred");
    add("Div", {".centred", ".deviation"}, ".divided");
    add("Reshape", {".divided", ".weights"}, ".normal");
    add("Reshape", {scale.name, ".weight"}, ".scale");
    add("Reshape", {bias.name, ".weight"}, ".bias");
    add("Mul", {".normal", ".scale"}, ".scaled");
    add("Add", {".scaled", ".bias"}, ".whole");
    add("Reshape", {".whole", ".shape"}, "");
    return nodes;
}

void group_normalization(Maker& m, std::string_view op) {
    Value x = image(m, 3, 4);
    const int64_t groups = groups_of(m, x.shape[1]);
    const int64_t count = m.opset() >= 21 ? x.shape[1] : groups;
    const Value scale = m.weight(kReal, {count}), bias = m.weight(kReal, {count});
    const std::string y = m.node(op, {x.name, scale.name, bias.name}, {attribute("num_groups", groups)})[0];
    m.define(normalized_groups(x, groups, scale, bias, y + " by definition"), y + " by definition");
}

void softmax(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kDouble},
                      .least_rank = 1,
                      .exact = op == "Hardmax",
                      .tame = op == "Hardmax",
                      .non_empty = true});
    Attributes attributes;
    if (x.rank() < 2 || m.chance(0.7)) attributes.push_back(attribute("axis", m.axis(x.rank(), m.opset() >= 11)));
    m.node(op, {x.name}, attributes);
}

void dropout(Maker& m, std::string_view op) {
    std::vector<std::string> inputs{m.real_data().name};
    Attributes attributes;
    if (m.opset() < 12) attributes.push_back(attribute("ratio", 0.3));
    else if (m.chance(0.5)) inputs.push_back(m.scalar(kReal, 0.25).name);
    // Before that, the mask of a dropout without effect was unspecified.
    m.node(op, inputs, attributes, Effect::Exact, m.opset() >= 12 && m.chance(0.3) ? 2 : 1);
}

void losses(Maker& m, std::string_view op) {
    const int64_t classes = m.between(2, 6);
    Shape shape = m.shape(1, 3, false), target_shape = shape;
    shape.insert(shape.begin() + 1, classes);
    Value scores = m.fresh(kReal, shape, true);
    const int64_t ignored = m.between(0, classes - 1);
    Value target = m.filled(
        m.one_of({kInteger, kLong}), target_shape, [&](int64_t) { return double(m.between(0, classes - 1)); }, false);
    std::vector<std::string> inputs{scores.name, target.name};
    if (m.chance(0.5)) inputs.push_back(m.positive({classes}).name);
    Attributes attributes;
    if (m.chance(0.7)) attributes.push_back(attribute("reduction", m.one_of({"none", "sum", "mean"})));
    if (m.chance(0.3)) attributes.push_back(attribute("ignore_index", ignored));
    m.node(op, inputs, attributes, Effect::Wild, op == "SoftmaxCrossEntropyLoss" && m.chance(0.3) ? 2 : 1);
}

// --- quantization -----------------------------------------------------------------------------------------------

/// Signed ones up to 64: on processors without VNNI, ONNX Runtime adds two products with unsigned ones in 16 bits, and
/// that saturates.
Value small_integers(Maker& m, int type, const Shape& shape, bool known) {
    const int64_t low = type == kByte ? 0 : -64, high = type == kByte ? 255 : 64;
    return m.filled(
        type, shape, [&, low, high](int64_t) { return double(m.between(low, high)); }, known);
}
Value zero_point(Maker& m, int type, const Shape& shape = {}) {
    return m.filled(type, shape, [&](int64_t) { return double(m.between(type == kByte ? 0 : -5, 20)); });
}
Value scale(Maker& m, const Shape& shape = {}) {
    return m.filled(kReal, shape, [&](int64_t) { return m.one_of({0.125, 0.25, 0.0625, 0.1}); });
}

void quantize(Maker& m, std::string_view op) {
    const int type = m.one_of({kByte, kSignedByte});
    const bool back = op.ends_with("DequantizeLinear"), of_runtime = op.starts_with("com.");
    Shape shape = m.shape(1, 4);
    Value x = back ? small_integers(m, type, shape, m.chance(0.2))
                   : m.data({.types = {kReal}, .least_rank = 1, .exact = true, .tame = true});
    shape = x.shape;
    Attributes attributes;
    Shape along;
    if ((m.opset() >= 13 || of_runtime) && m.chance(0.4)) {
        const int64_t axis = m.axis(x.rank());
        along = {shape[size_t(axis < 0 ? axis + x.rank() : axis)]};
        attributes.push_back(attribute("axis", axis));
    }
    std::vector<std::string> inputs{x.name, scale(m, along).name};
    const bool has_zero = of_runtime || m.chance(0.7) || (!back && type == kSignedByte);
    if (has_zero) inputs.push_back(zero_point(m, type, along).name);
    m.inexact();
    m.node(op, inputs, attributes, Effect::Rounded);
}

void dynamic_quantize(Maker& m, std::string_view op) {
    m.inexact();
    m.node(op, {m.data({.types = {kReal}, .exact = true, .tame = true, .non_empty = true}).name}, {}, Effect::Rounded,
           3);
}

void integer_product(Maker& m, std::string_view op) {
    const int a = m.one_of({kByte, kSignedByte}), b = m.one_of({kByte, kSignedByte});
    Shape left = m.shape(2, 3, false), right{left.back(), m.extent(false)};
    Value x = small_integers(m, a, left, false),
          y = small_integers(m, a == kSignedByte ? kSignedByte : b, right, m.chance(0.7));
    if (op == "MatMulInteger") {
        std::vector<std::string> inputs{x.name, y.name};
        if (m.chance(0.6)) inputs.push_back(zero_point(m, x.type).name);
        if (inputs.size() == 3 && m.chance(0.6))
            inputs.push_back(zero_point(m, y.type, m.chance(0.3) ? Shape{right[1]} : Shape{}).name);
        m.node(op, inputs, {}, Effect::Exact);
        return;
    }
    m.inexact();
    m.node(op, {x.name, scale(m).name, zero_point(m, x.type).name, y.name, scale(m).name, zero_point(m, y.type).name,
                scale(m).name, zero_point(m, x.type).name});
}

void integer_convolution(Maker& m, std::string_view op) {
    const int64_t rank = m.one_of({3, 4, 4, 5});
    Shape data = m.shape(rank, rank, false);
    WindowChoice window = choose_window(m, {data.begin() + 2, data.end()}, false);
    same_as_specified(window);
    const int64_t groups = groups_of(m, data[1]), outputs = groups * m.between(1, 3);
    Shape weight{outputs, data[1] / groups};
    weight.insert(weight.end(), window.kernel.begin(), window.kernel.end());
    const int type = kByte;
    Value x = small_integers(m, type, data, false),
          w = small_integers(m, m.one_of({kByte, kSignedByte}), weight, m.chance(0.8));
    Attributes attributes = window_attributes(m, window, true);
    if (groups > 1) attributes.push_back(attribute("group", groups));
    if (op == "ConvInteger") {
        std::vector<std::string> inputs{x.name, w.name};
        if (m.chance(0.6)) inputs.push_back(zero_point(m, type).name);
        if (inputs.size() == 3 && m.chance(0.5)) inputs.push_back(zero_point(m, w.type).name);
        m.node(op, inputs, attributes, Effect::Exact);
        return;
    }
    const Shape by_channel = m.chance(0.4) ? Shape{outputs} : Shape{};
    std::vector<std::string> inputs{x.name,
                                    scale(m).name,
                                    zero_point(m, type).name,
                                    w.name,
                                    scale(m, by_channel).name,
                                    m.filled(w.type, by_channel, [](int64_t) { return 0.0; }).name,
                                    scale(m).name,
                                    zero_point(m, type).name};
    if (m.chance(0.5))
        inputs.push_back(m.filled(kInteger, {outputs}, [&](int64_t) { return double(m.between(-99, 99)); }).name);
    m.inexact();
    m.node(op, inputs, attributes);
}

// --- recurrence -------------------------------------------------------------------------------------------------

void recurrent(Maker& m, std::string_view op) {
    const int64_t gates = op == "LSTM" ? 4 : op == "GRU" ? 3 : 1;
    const int64_t length = m.between(1, 4), batch = m.between(1, 3), inputs_count = m.between(1, 4),
                  hidden = m.between(1, 4);
    const std::string direction = m.one_of({"forward", "reverse", "bidirectional"});
    const int64_t directions = direction == "bidirectional" ? 2 : 1;
    std::vector<std::string> inputs{m.fresh(kReal, {length, batch, inputs_count}, true).name,
                                    m.weight(kReal, {directions, gates * hidden, inputs_count}).name,
                                    m.weight(kReal, {directions, gates * hidden, hidden}).name};
    const bool biased = m.chance(0.6), started = m.chance(0.4), peeps = op == "LSTM" && m.chance(0.3);
    const bool lengths = m.chance(0.3);
    inputs.push_back(biased ? m.weight(kReal, {directions, 2 * gates * hidden}).name : "");
    inputs.push_back(lengths
                         ? m.filled(
                                kInteger, {batch}, [&](int64_t) { return double(m.between(1, length)); }, m.chance(0.5))
                               .name
                         : "");
    inputs.push_back(started ? m.weight(kReal, {directions, batch, hidden}).name : "");
    if (op == "LSTM") {
        inputs.push_back(m.chance(0.4) ? m.weight(kReal, {directions, batch, hidden}).name : "");
        inputs.push_back(peeps ? m.weight(kReal, {directions, 3 * hidden}).name : "");
    }
    while (inputs.back().empty()) inputs.pop_back();
    Attributes attributes{attribute("hidden_size", hidden), attribute("direction", direction)};
    if (m.chance(0.3)) {
        std::vector<std::string> names;
        std::vector<double> alphas, betas;
        for (int64_t i = 0; i < directions * (op == "LSTM" ? 3 : op == "GRU" ? 2 : 1); ++i) {
            const std::string name = m.one_of({"Tanh", "Sigmoid", "Relu", "Softsign", "HardSigmoid", "Affine",
                                               "LeakyRelu", "ScaledTanh", "Softplus", "Elu", "ThresholdedRelu"});
            names.push_back(name);
            if (name == "Softplus") m.note("Softplus of a layer");
            const bool both = name == "Affine" || name == "ScaledTanh" || name == "HardSigmoid";
            if (both || name == "LeakyRelu" || name == "Elu" || name == "ThresholdedRelu")
                alphas.push_back(m.one_of({0.25, 0.5, 0.75}));
            if (both) betas.push_back(m.one_of({0.25, 0.5}));
        }
        attributes.push_back(attribute("activations", names));
        if (!alphas.empty()) attributes.push_back(attribute("activation_alpha", alphas));
        if (!betas.empty()) attributes.push_back(attribute("activation_beta", betas));
    }
    if (m.chance(0.2)) attributes.push_back(attribute("clip", 0.75));
    if (op == "GRU" && m.chance(0.5)) attributes.push_back(attribute("linear_before_reset", m.between(0, 1)));
    if (op == "LSTM" && m.chance(0.2)) attributes.push_back(attribute("input_forget", 1));
    m.node(op, inputs, attributes, Effect::Wild, op == "LSTM" ? 3 : 2);
}

const Recipe kRecipes[] = {
    {{"Conv"}, 7, convolution},
    {{"ConvTranspose"}, 7, transposed_convolution},
    {{"AveragePool", "LpPool", "MaxPool"}, 7, pooling},
    {{"GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool"}, 7, global_pooling},
    {{"BatchNormalization"}, 9, batch_normalization},
    {{"InstanceNormalization", "LRN", "LpNormalization"}, 7, normalization},
    {{"MeanVarianceNormalization"}, 9, normalization},
    {{"LayerNormalization"}, 17, layer_normalization},
    {{"GroupNormalization"}, 18, group_normalization},
    {{"Hardmax", "LogSoftmax", "Softmax"}, 7, softmax},
    {{"Dropout"}, 7, dropout},
    {{"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"}, 12, losses},
    {{"DequantizeLinear", "QuantizeLinear"}, 10, quantize},
    {{"com.microsoft.DequantizeLinear", "com.microsoft.QuantizeLinear"}, 7, quantize},
    {{"DynamicQuantizeLinear"}, 11, dynamic_quantize},
    {{"MatMulInteger", "QLinearMatMul"}, 10, integer_product},
    {{"ConvInteger", "QLinearConv"}, 10, integer_convolution},
    {{"GRU", "LSTM", "RNN"}, 7, recurrent},
};

}  // namespace

std::span<const Recipe> network_recipes() { return kRecipes; }

}  // namespace partita::fuzz
