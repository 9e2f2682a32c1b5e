// Convolutions, pooling, normalisation and related operators.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/window.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

void apply_auto_pad(NodeContext& n, Window& window, std::span<const int64_t> spatial) {
    std::string mode = n.choice("auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
    if (mode == "VALID") window.pads.assign(2 * window.rank(), 0);
    if (mode != "SAME_UPPER" && mode != "SAME_LOWER") return;
    for (size_t i = 0; i < window.rank(); ++i) {
        int64_t out = (spatial[i] + window.strides[i] - 1) / window.strides[i];
        int64_t total = std::max<int64_t>(
            0, (out - 1) * window.strides[i] + (window.kernel[i] - 1) * window.dilations[i] + 1 - spatial[i]);
        int64_t small = total / 2, large = total - small;
        window.pads[i] = mode == "SAME_UPPER" ? small : large;
        window.pads[i + window.rank()] = total - window.pads[i];
    }
}

}  // namespace

std::string with_rank(std::string_view name, size_t rank, std::string_view ending) {
    return std::string(name) + std::to_string(rank) + "d" + std::string(ending);
}

Window window_of(NodeContext& n, Integers kernel, std::span<const int64_t> spatial) {
    Window window;
    if (n.integers("kernel_shape", kernel) != kernel) throw Fault{"kernel_shape does not fit the weights", {}};
    window.kernel = std::move(kernel);
    size_t rank = window.rank();
    if (rank < 1 || rank > 3 || spatial.size() != rank)
        throw Fault{"only 1, 2 and 3 spatial dimensions are supported", {}};
    window.strides = n.integers("strides", Integers(rank, 1));
    window.dilations = n.integers("dilations", Integers(rank, 1));
    window.pads = n.integers("pads", Integers(2 * rank, 0));
    window.ceil_mode = n.integer("ceil_mode", 0);
    if (window.strides.size() != rank || window.dilations.size() != rank || window.pads.size() != 2 * rank)
        throw Fault{"strides, dilations or pads do not fit the kernel's rank", {}};
    for (size_t i = 0; i < rank; ++i)
        if (window.kernel[i] < 1 || window.strides[i] < 1 || window.dilations[i] < 1 || window.kernel[i] > (1 << 30) ||
            window.strides[i] > (1 << 30) || window.dilations[i] > (1 << 30))
            throw Fault{"kernel_shape, strides and dilations must be positive and not too large", {}};
    apply_auto_pad(n, window, spatial);
    return window;
}

namespace {

Integers spatial_shape(NodeContext& n, ExprId x) {
    Integers shape = n.build.static_shape(x);
    if (shape.size() < 3) throw Fault{"the data must have a batch, channels and at least one spatial dimension", {}};
    return {shape.begin() + 2, shape.end()};
}

/// Returns a vector over the channels, shaped to broadcast over the data: [c, 1, 1].
ExprId over_channels(NodeContext& n, ExprId vector, size_t spatial_rank) {
    Integers shape = n.build.static_shape(vector);
    shape.insert(shape.end(), spatial_rank, 1);
    return n.build.reshape(vector, shape);
}

/// Adds a bias, a known one in a shape that broadcasts, as TVM's own flow for DNNL does (its pass CanonicalizeOps): the
/// patterns of backends expect `add`.
ExprId add_bias(NodeContext& n, ExprId y, size_t spatial_rank) {
    ExprId bias = n.input(2);
    if (!n.build.value(bias)) return n.build.call("nn.bias_add", {y, bias});
    return n.build.call("add", {y, over_channels(n, bias, spatial_rank)});
}

Exprs conv(NodeContext& n) {
    ExprId x = n.input(0), w = n.input(1);
    Integers weight = n.build.static_shape(w);
    if (weight.size() < 3) throw Fault{"the weight must have at least one spatial dimension", {}};
    Window window = window_of(n, {weight.begin() + 2, weight.end()}, spatial_shape(n, x));
    ExprId y = n.build.call(with_rank("nn.conv", window.rank()), {x, w},
                            {{"strides", integer_attribute(window.strides)},
                             {"padding", integer_attribute(window.pads)},
                             {"dilation", integer_attribute(window.dilations)},
                             {"groups", int(n.integer("group", 1))},
                             {"channels", int(weight[0])},
                             {"kernel_size", integer_attribute(window.kernel)}});
    if (!n.has(2)) return {y};
    return {add_bias(n, y, window.rank())};
}

/// The layout of a transposed convolution's weight as ONNX has it, in the letters of Relay's operators.
const char* transposed_layout(size_t rank) { return std::array{"OIW", "IOHW", "OIDHW"}[rank - 1]; }

Exprs conv_transpose(NodeContext& n) {
    ExprId x = n.input(0), w = n.input(1);
    Integers weight = n.build.static_shape(w);
    if (weight.size() < 3) throw Fault{"the weight must have at least one spatial dimension", {}};
    Integers spatial = spatial_shape(n, x);
    Window window = window_of(n, {weight.begin() + 2, weight.end()}, spatial);
    size_t rank = window.rank();
    Integers output_padding = n.integers("output_padding", Integers(rank, 0));
    Integers wanted = n.integers("output_shape");
    std::string auto_pad = n.choice("auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
    bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
    if (output_padding.size() != rank || (!wanted.empty() && wanted.size() != rank))
        throw Fault{"output_padding or output_shape does not fit the kernel's rank", {}};
    for (size_t i = 0; i < rank && (same || !wanted.empty()); ++i) {
        int64_t out = wanted.empty() ? spatial[i] * window.strides[i] : wanted[i];
        int64_t full =
            window.strides[i] * (spatial[i] - 1) + output_padding[i] + (window.kernel[i] - 1) * window.dilations[i] + 1;
        int64_t total = std::max<int64_t>(0, full - out);
        window.pads[i] = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
        window.pads[i + rank] = total - window.pads[i];
        if (full < out) output_padding[i] += out - full;
    }
    // Relay requires output_padding below the stride; the excess becomes negative cropping at the end.
    int64_t groups = n.integer("group", 1);
    ExprId y = n.build.call(with_rank("nn.conv", rank, "_transpose"), {x, w},
                            {{"strides", integer_attribute(window.strides)},
                             {"padding", integer_attribute(window.pads)},
                             {"dilation", integer_attribute(window.dilations)},
                             {"output_padding", integer_attribute(output_padding)},
                             {"groups", int(groups)},
                             {"kernel_layout", transposed_layout(rank)},
                             {"channels", int(weight[1] * groups)},
                             {"kernel_size", integer_attribute(window.kernel)}});
    if (!n.has(2)) return {y};
    return {add_bias(n, y, rank)};
}

/// For each position in a window, the element there in every window, and its index in the plane (-infinity and 0 in the
/// padding). The index of a maximum is selected from these.
struct WindowPlaces {
    Exprs values;
    std::vector<Integers> indices;
};

WindowPlaces window_places(NodeContext& n, const Window& window, std::span<const int64_t> spatial,
                           std::span<const int64_t> result) {
    size_t rank = window.rank();
    AttributeValue::List width{integer_attribute(Integers{0, 0}), integer_attribute(Integers{0, 0})};
    Integers axes, strides = window.strides;
    int64_t places = 1, windows = 1;
    for (size_t i = 0; i < rank; ++i) {
        int64_t reach = (result[i] - 1) * window.strides[i] + (window.kernel[i] - 1) * window.dilations[i] + 1;
        int64_t after = std::max(window.pads[rank + i], reach - spatial[i] - window.pads[i]);
        width.push_back(integer_attribute(Integers{window.pads[i], std::max<int64_t>(0, after)}));
        axes.push_back(int64_t(i) + 2);
        places *= window.kernel[i];
        windows *= result[i];
    }
    constexpr int64_t kMostPlaces = 1024;
    if (places > kMostPlaces || windows > (int64_t(1) << 31) / kMostPlaces)
        throw Fault{"the windows are too large", {}};
    double lowest = n.build.dtype(n.input(0)).is_float() ? -std::numeric_limits<double>::infinity() : -128;
    if (n.build.dtype(n.input(0)).code == DataType::Code::UInt) lowest = 0;
    ExprId padded =
        n.build.call("nn.pad", {n.input(0), like(n, n.input(0), lowest)}, {{"pad_width", std::move(width)}});
    bool columns_first = n.integer("storage_order", 0) == 1;
    WindowPlaces all;
    for (int64_t place = 0; place < places; ++place) {
        Integers begins(rank), ends(rank);
        int64_t rest = place;
        for (size_t i = rank; i-- > 0; rest /= window.kernel[i]) {
            begins[i] = rest % window.kernel[i] * window.dilations[i];
            ends[i] = begins[i] + (result[i] - 1) * window.strides[i] + 1;
        }
        all.values.push_back(n.build.call("strided_slice", {padded},
                                          {{"begin", integer_attribute(begins)},
                                           {"end", integer_attribute(ends)},
                                           {"strides", integer_attribute(strides)},
                                           {"axes", integer_attribute(axes)}}));
        all.indices.emplace_back();
        for (int64_t w = 0; w < windows; ++w) {
            int64_t index = 0, unit = 1, at = w;
            Integers position(rank);
            for (size_t i = rank; i-- > 0; at /= result[i])
                position[i] = at % result[i] * window.strides[i] + begins[i] - window.pads[i];
            for (size_t i = 0; i < rank; ++i) {
                size_t axis = columns_first ? i : rank - 1 - i;
                index += std::clamp<int64_t>(position[axis], 0, spatial[axis] - 1) * unit;
                unit *= spatial[axis];
            }
            all.indices.back().push_back(index);
        }
    }
    return all;
}

/// Returns the index of each maximum in the flat data: stacks the positions of a window, finds the first largest, and
/// looks up its index.
ExprId max_pool_indices(NodeContext& n, const Window& window, ExprId pooled) {
    Integers shape = n.build.static_shape(n.input(0)), result = n.build.static_shape(pooled);
    Integers spatial(shape.begin() + 2, shape.end());
    WindowPlaces all = window_places(n, window, spatial, std::span(result).subspan(2));
    int64_t places = int64_t(all.values.size()), windows = int64_t(all.indices[0].size()), plane = 1;
    for (int64_t extent : spatial) plane *= extent;
    ExprId side_by_side = n.build.call("stack", {n.build.tuple(all.values)}, {{"axis", 0}});
    const int64_t first = 0;
    ExprId chosen =
        n.build.call("argmax", {side_by_side},
                     {{"axis", integer_attribute(std::span(&first, 1))}, {"keepdims", false}, {"exclude", false}});
    Tensor table(kInt64, {places * windows}), plane_begins(kInt64, {shape[0] * shape[1], 1}),
        window_numbers(kInt64, {1, windows});
    for (int64_t place = 0; place < places; ++place)
        std::copy_n(all.indices[size_t(place)].begin(), windows, table.data<int64_t>() + place * windows);
    for (int64_t i = 0; i < shape[0] * shape[1]; ++i) plane_begins.data<int64_t>()[i] = i * plane;
    for (int64_t i = 0; i < windows; ++i) window_numbers.data<int64_t>()[i] = i;
    const int64_t flat[] = {shape[0] * shape[1], windows};
    ExprId row =
        n.build.multiply(n.build.cast(n.build.reshape(chosen, flat), kInt64), n.build.constant(windows, kInt64));
    ExprId at = n.build.add(row, n.build.constant(std::move(window_numbers)));
    ExprId in_plane = n.build.call("take", {n.build.constant(std::move(table)), at}, {{"axis", 0}});
    return n.build.reshape(n.build.add(in_plane, n.build.constant(std::move(plane_begins))), result);
}

/// Drops windows that begin behind the data. With ceil_mode, Relay keeps a last window that lies wholly in the padding;
/// ONNX does not.
ExprId without_windows_behind(NodeContext& n, ExprId pooled, const Window& window) {
    Integers spatial = spatial_shape(n, n.input(0)), counts = spatial_shape(n, pooled);
    for (size_t i = 0; i < window.rank() && window.ceil_mode; ++i)
        if ((counts[i] - 1) * window.strides[i] >= spatial[i] + window.pads[i])
            pooled = n.build.slice(pooled, int64_t(i) + 2, 0, counts[i] - 1);
    return pooled;
}

Exprs max_pool(NodeContext& n) {
    Window window = window_of(n, n.integers("kernel_shape"), spatial_shape(n, n.input(0)));
    ExprId pooled = n.build.call(with_rank("nn.max_pool", window.rank()), {n.input(0)},
                                 {{"pool_size", integer_attribute(window.kernel)},
                                  {"strides", integer_attribute(window.strides)},
                                  {"dilation", integer_attribute(window.dilations)},
                                  {"padding", integer_attribute(window.pads)},
                                  {"ceil_mode", window.ceil_mode}});
    pooled = without_windows_behind(n, pooled, window);
    if (!n.wants_output(1)) return {pooled};
    return {pooled, max_pool_indices(n, window, pooled)};
}

ExprId average(NodeContext& n, ExprId x, const Window& window, bool count_padding) {
    ExprId pooled = n.build.call(with_rank("nn.avg_pool", window.rank()), {x},
                                 {{"pool_size", integer_attribute(window.kernel)},
                                  {"strides", integer_attribute(window.strides)},
                                  {"dilation", integer_attribute(window.dilations)},
                                  {"padding", integer_attribute(window.pads)},
                                  {"ceil_mode", window.ceil_mode},
                                  {"count_include_pad", count_padding}});
    return without_windows_behind(n, pooled, window);
}

/// Pads the end for ceil_mode, so that all windows have the same size.
void pad_for_ceil_mode(Window& window, std::span<const int64_t> spatial) {
    for (size_t i = 0; i < window.rank() && window.ceil_mode; ++i) {
        int64_t& after = window.pads[i + window.rank()];
        int64_t room = spatial[i] + window.pads[i] + after - ((window.kernel[i] - 1) * window.dilations[i] + 1);
        if (room > 0) after += (window.strides[i] - room % window.strides[i]) % window.strides[i];
    }
}

Exprs average_pool(NodeContext& n) {
    Window window = window_of(n, n.integers("kernel_shape"), spatial_shape(n, n.input(0)));
    return {average(n, n.input(0), window, n.integer("count_include_pad", 0))};
}

/// Returns (sum |x|^p)^(1/p), computed from the average that includes padding.
Exprs lp_pool(NodeContext& n) {
    Window window = window_of(n, n.integers("kernel_shape"), spatial_shape(n, n.input(0)));
    pad_for_ceil_mode(window, spatial_shape(n, n.input(0)));
    double p = double(n.integer("p", 2)), count = 1;
    for (int64_t extent : window.kernel) count *= double(extent);
    ExprId powers = n.build.call("power", {n.build.call("abs", {n.input(0)}), like(n, n.input(0), p)});
    ExprId sum = scaled(n, average(n, powers, window, true), count);
    return {n.build.call("power", {sum, like(n, sum, 1 / p)})};
}

Integers spatial_axes(NodeContext& n, ExprId x) {
    Integers axes;
    for (int64_t i = 2; i < n.build.rank(x); ++i) axes.push_back(i);
    return axes;
}

ExprId reduce_spatial(NodeContext& n, const char* op, ExprId x) {
    return n.build.call(op, {x},
                        {{"axis", integer_attribute(spatial_axes(n, x))}, {"keepdims", true}, {"exclude", false}});
}

Exprs global_average_pool(NodeContext& n) {
    if (n.build.rank(n.input(0)) == 4) return {n.build.call("nn.global_avg_pool2d", {n.input(0)})};
    return {reduce_spatial(n, "mean", n.input(0))};
}

Exprs global_max_pool(NodeContext& n) {
    if (n.build.rank(n.input(0)) == 4) return {n.build.call("nn.global_max_pool2d", {n.input(0)})};
    return {reduce_spatial(n, "max", n.input(0))};
}

Exprs global_lp_pool(NodeContext& n) {
    double p = double(n.integer("p", 2));
    ExprId x = n.input(0);
    ExprId sum = reduce_spatial(n, "sum", n.build.call("power", {n.build.call("abs", {x}), like(n, x, p)}));
    return {n.build.call("power", {sum, like(n, x, 1 / p)})};
}

/// Normalises with the mean and variance of the batch, as in training, and also returns the running ones.
Exprs batch_normalization_in_training(NodeContext& n) {
    ExprId x = n.input(0);
    Integers axes{0};
    for (int64_t axis : spatial_axes(n, x)) axes.push_back(axis);
    size_t spatial = axes.size() - 1;
    auto mean_of = [&](ExprId value) {
        return n.build.call("mean", {value},
                            {{"axis", integer_attribute(axes)}, {"keepdims", false}, {"exclude", false}});
    };
    ExprId mean = mean_of(x);
    ExprId centred = n.build.subtract(x, over_channels(n, mean, spatial));
    ExprId variance = mean_of(n.build.multiply(centred, centred));
    ExprId deviation = n.build.call("sqrt", {n.build.add(variance, like(n, variance, n.real("epsilon", 1e-5)))});
    ExprId y = n.build.divide(centred, over_channels(n, deviation, spatial));
    y = n.build.add(n.build.multiply(y, over_channels(n, n.input(1), spatial)), over_channels(n, n.input(2), spatial));
    double momentum = n.real("momentum", 0.9);
    auto running = [&](ExprId old, ExprId fresh) {
        return n.build.add(scaled(n, old, momentum), scaled(n, fresh, 1 - momentum));
    };
    return {y, running(n.input(3), mean), running(n.input(4), variance)};
}

Exprs batch_normalization(NodeContext& n) {
    if (n.integer("training_mode", 0)) return batch_normalization_in_training(n);
    Exprs arguments;
    for (size_t i = 0; i < 5; ++i) arguments.push_back(n.input(i));
    ExprId result = n.build.call("nn.batch_norm", arguments, {{"epsilon", n.real("epsilon", 1e-5)}});
    return {n.build.projection(result, 0)};
}

Exprs instance_normalization(NodeContext& n) {
    return {
        n.build.call("nn.instance_norm", {n.input(0), n.input(1), n.input(2)}, {{"epsilon", n.real("epsilon", 1e-5)}})};
}

Exprs layer_normalization(NodeContext& n) {
    ExprId x = n.input(0);
    int64_t rank = n.build.rank(x), axis = n.axis(n.integer("axis", -1), rank);
    Integers axes;
    for (int64_t i = axis; i < rank; ++i) axes.push_back(i);
    auto mean_of = [&](ExprId value) {
        return n.build.call("mean", {value},
                            {{"axis", integer_attribute(axes)}, {"keepdims", true}, {"exclude", false}});
    };
    ExprId mean = mean_of(x);
    ExprId centred = n.build.subtract(x, mean);
    ExprId variance = mean_of(n.build.multiply(centred, centred));
    ExprId inverse = n.build.divide(like(n, x, 1),
                                    n.build.call("sqrt", {n.build.add(variance, like(n, x, n.real("epsilon", 1e-5)))}));
    bool plain = axis == rank - 1 && n.has(2) && !n.wants_output(1) && !n.wants_output(2);
    if (plain)
        return {n.build.call("nn.layer_norm", {x, n.input(1), n.input(2)}, {{"epsilon", n.real("epsilon", 1e-5)}})};
    ExprId y = n.build.multiply(n.build.multiply(centred, inverse), n.input(1));
    if (n.has(2)) y = n.build.add(y, n.input(2));
    return {y, mean, inverse};
}

Exprs local_response_normalization(NodeContext& n) {
    return {n.build.call("nn.lrn", {n.input(0)},
                         {{"size", int(n.integer("size", 1))},
                          {"axis", 1},
                          {"bias", n.real("bias", 1.0)},
                          {"alpha", n.real("alpha", 1e-4)},
                          {"beta", n.real("beta", 0.75)}})};
}

Exprs lp_normalization(NodeContext& n) {
    ExprId x = n.input(0);
    int64_t axis = n.axis(n.integer("axis", -1), n.build.rank(x));
    bool absolute = n.integer("p", 2) == 1;
    ExprId terms = absolute ? n.build.call("abs", {x}) : n.build.multiply(x, x);
    ExprId sum = n.build.call(
        "sum", {terms}, {{"axis", integer_attribute(std::span(&axis, 1))}, {"keepdims", true}, {"exclude", false}});
    ExprId norm = absolute ? sum : n.build.call("sqrt", {sum});
    // Zero vectors stay zero.
    ExprId is_zero = n.build.call("equal", {norm, like(n, x, 0)});
    return {n.build.divide(x, n.build.call("where", {is_zero, like(n, x, 1), norm}))};
}

Exprs mean_variance_normalization(NodeContext& n) {
    ExprId x = n.input(0);
    Integers axes = n.integers("axes", {0, 2, 3});
    for (int64_t& axis : axes) axis = n.axis(axis, n.build.rank(x));
    auto mean_of = [&](ExprId value) {
        return n.build.call("mean", {value},
                            {{"axis", integer_attribute(axes)}, {"keepdims", true}, {"exclude", false}});
    };
    ExprId centred = n.build.subtract(x, mean_of(x));
    ExprId deviation = n.build.call("sqrt", {mean_of(n.build.multiply(centred, centred))});
    return {n.build.divide(centred, n.build.add(deviation, like(n, x, 1e-9)))};
}

/// Applies softmax or hardmax. Before operator set 13 all dimensions from the axis on were one.
ExprId soft_or_hard(NodeContext& n, int64_t old_axis, auto apply) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x);
    int64_t rank = int64_t(shape.size());
    if (n.opset() >= 13) return apply(x, n.axis(n.integer("axis", -1), rank));
    int64_t axis = n.integer("axis", old_axis);
    axis = axis == rank ? rank : n.axis(axis, rank);
    if (axis == rank - 1) return apply(x, axis);
    int64_t outer = 1, inner = 1;
    for (int64_t i = 0; i < rank; ++i) (i < axis ? outer : inner) *= shape[size_t(i)];
    const int64_t flat[] = {outer, inner};
    return n.build.reshape(apply(n.build.reshape(x, flat), 1), shape);
}

Exprs softmax(NodeContext& n) {
    return {soft_or_hard(n, 1, [&](ExprId x, int64_t axis) {
        return n.build.call("nn.softmax", {x}, {{"axis", int(axis)}});
    })};
}

Exprs log_softmax(NodeContext& n) {
    return {soft_or_hard(n, 1, [&](ExprId x, int64_t axis) {
        return n.build.call("nn.log_softmax", {x}, {{"axis", int(axis)}});
    })};
}

Exprs hardmax(NodeContext& n) {
    return {soft_or_hard(n, 1, [&](ExprId x, int64_t axis) {
        DataType dtype = n.build.dtype(x);
        int64_t depth = n.build.static_shape(x)[size_t(axis)];
        ExprId index = n.build.call(
            "argmax", {x}, {{"axis", integer_attribute(std::span(&axis, 1))}, {"keepdims", false}, {"exclude", false}});
        return n.build.call("one_hot", {index, n.build.real(1, dtype), n.build.real(0, dtype)},
                            {{"depth", int(depth)}, {"axis", int(axis)}, {"dtype", dtype}});
    })};
}

Exprs dropout(NodeContext& n) {
    bool training = n.opset() >= 12 && n.has(2) && n.known_number(2) != 0;
    double ratio = n.opset() >= 12 && n.has(1) ? n.known_number(1) : 0.5;
    if (training && ratio != 0) throw Fault{"dropout in training is random", {}};
    Exprs outputs{n.input(0)};
    if (n.wants_output(1)) {
        DataType mask = n.opset() >= 10 ? kBool : n.build.dtype(n.input(0));
        outputs.push_back(
            n.build.call("full", {n.build.real(1, mask)},
                         {{"shape", integer_attribute(n.build.static_shape(n.input(0)))}, {"dtype", mask}}));
    }
    return outputs;
}

Exprs flatten(NodeContext& n) {
    Integers shape = n.build.static_shape(n.input(0));
    int64_t rank = int64_t(shape.size()), axis = n.integer("axis", 1);
    axis = axis == rank ? rank : n.axis(axis, std::max<int64_t>(rank, 1));
    int64_t flat[] = {1, 1};
    for (int64_t i = 0; i < rank; ++i) flat[i < axis ? 0 : 1] *= shape[size_t(i)];
    if (rank >= 2 && axis == 1) return {n.build.call("nn.batch_flatten", {n.input(0)})};
    return {n.build.reshape(n.input(0), flat)};
}

/// Adds up overlapping blocks (opset 18): the transposed convolution with kernels of one 1 each.
Exprs column_to_image(NodeContext& n) {
    const Integers shape = n.build.static_shape(n.input(0)), image = n.known_integers(1);
    Window window = window_of(n, n.known_integers(2), image);
    const size_t rank = window.rank();
    const int64_t places = element_count(window.kernel).value_or(0);
    if (shape.size() != 3 || places < 1 || shape[1] % places)
        throw Fault{"its channels are no multiple of the block", {}};
    const int64_t channels = shape[1] / places;
    Integers apart{shape[0], shape[1]}, weights{shape[1], 1}, output_padding(rank, 0);
    for (size_t i = 0; i < rank; ++i) {
        const int64_t room =
            image[i] + window.pads[i] + window.pads[i + rank] - (window.kernel[i] - 1) * window.dilations[i] - 1;
        if (room < 0) throw Fault{"a block is larger than the image", {}};
        apart.push_back(room / window.strides[i] + 1);
        weights.push_back(window.kernel[i]);
        output_padding[i] = room % window.strides[i];
    }
    if (!n.build.may_hold(n.build.dtype(n.input(0)), weights)) throw Fault{"its blocks are too large", {}};
    Tensor ones(n.build.dtype(n.input(0)), weights);
    for (int64_t i = 0; i < shape[1]; ++i) ones.set(i * places + i % places, 1);
    return {n.build.call(with_rank("nn.conv", rank, "_transpose"),
                         {n.build.reshape(n.input(0), apart), n.build.constant(std::move(ones))},
                         {{"strides", integer_attribute(window.strides)},
                          {"padding", integer_attribute(window.pads)},
                          {"dilation", integer_attribute(window.dilations)},
                          {"output_padding", integer_attribute(output_padding)},
                          {"groups", int(channels)},
                          {"kernel_layout", transposed_layout(rank)},
                          {"channels", int(channels)},
                          {"kernel_size", integer_attribute(window.kernel)}})};
}

Exprs depth_to_space(NodeContext& n) {
    return {n.build.call("nn.depth_to_space", {n.input(0)},
                         {{"block_size", int(n.integer("blocksize", 1))},
                          // Relay calls the second order CDR.
                          {"mode", n.choice("mode", {"DCR", "CRD"}) == "DCR" ? "DCR" : "CDR"}})};
}

Exprs space_to_depth(NodeContext& n) {
    return {n.build.call("nn.space_to_depth", {n.input(0)}, {{"block_size", int(n.integer("blocksize", 1))}})};
}

Exprs group_normalization(NodeContext& n) {
    ExprId x = n.input(0);
    int64_t groups = n.integer("num_groups", 1);
    Integers shape = n.build.static_shape(x);
    Integers scale_shape = n.build.static_shape(n.input(1));
    if (scale_shape.size() == 1 && shape.size() > 1 && scale_shape[0] == shape[1])
        return {n.build.call("nn.group_norm", {x, n.input(1), n.input(2)},
                             {{"num_groups", int(groups)}, {"axis", 1}, {"epsilon", n.real("epsilon", 1e-5)}})};
    // Before operator set 21 scale and bias have a value for each group.
    if (shape.size() < 2 || groups < 1 || shape[1] % groups)
        throw Fault{"the channels can't be divided into the groups", {}};
    auto per_channel = [&](ExprId vector) {
        return n.build.call("repeat", {vector}, {{"repeats", int(shape[1] / groups)}, {"axis", 0}});
    };
    return {n.build.call("nn.group_norm", {x, per_channel(n.input(1)), per_channel(n.input(2))},
                         {{"num_groups", int(groups)}, {"axis", 1}, {"epsilon", n.real("epsilon", 1e-5)}})};
}

const ConverterEntry kNnConverters[] = {
    {"AveragePool", average_pool},
    {"BatchNormalization", batch_normalization},
    {"Col2Im", column_to_image},
    {"Conv", conv},
    {"ConvTranspose", conv_transpose},
    {"DepthToSpace", depth_to_space},
    {"Dropout", dropout},
    {"Flatten", flatten},
    {"GlobalAveragePool", global_average_pool},
    {"GlobalLpPool", global_lp_pool},
    {"GlobalMaxPool", global_max_pool},
    {"GroupNormalization", group_normalization},
    {"Hardmax", hardmax},
    {"InstanceNormalization", instance_normalization},
    {"LRN", local_response_normalization},
    {"LayerNormalization", layer_normalization},
    {"LogSoftmax", log_softmax},
    {"LpNormalization", lp_normalization},
    {"LpPool", lp_pool},
    {"MaxPool", max_pool},
    {"MeanVarianceNormalization", mean_variance_normalization},
    {"Softmax", softmax},
    {"SpaceToDepth", space_to_depth},
};

}  // namespace

std::span<const ConverterEntry> nn_converters() { return kNnConverters; }

}  // namespace partita::onnx
