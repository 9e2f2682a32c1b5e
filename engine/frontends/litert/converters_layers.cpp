// Convolutions, products, pooling, normalization. Images are NHWC, kernels OHWI.
//
// Products of integers are summed exactly and then scaled by one factor for each channel, as XNNPACK does: a product in
// float that is rounded to the nearest. With 16-bit numbers LiteRT's kernels have a factor of 16 bits.
#include <algorithm>
#include <cstring>

#include "engine/frontends/litert/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::litert {

namespace {

struct Window {
    Integers kernel, strides, dilation;  ///< of each axis of the image
    Integers before, after;              ///< padding
};

AttributeValue padding_of(const Window& window) {
    Integers all = window.before;
    all.insert(all.end(), window.after.begin(), window.after.end());
    return integer_attribute(all);
}

/// Pads as the option says: SAME (0) so that each stride gives an element, with the odd one behind; VALID not at all.
void pad(NodeContext& n, Window& window, const Integers& extents) {
    const bool same = n.integer("padding") == 0;
    for (size_t i = 0; i < extents.size(); ++i) {
        const int64_t stride = window.strides[i], reach = (window.kernel[i] - 1) * window.dilation[i] + 1;
        if (stride < 1 || window.dilation[i] < 1 || window.kernel[i] < 1)
            throw Fault{"a stride, a dilation or an extent of its window is not positive", {}};
        const int64_t steps = (extents[i] + stride - 1) / stride;
        const int64_t total = same ? std::max<int64_t>((steps - 1) * stride + reach - extents[i], 0) : 0;
        window.before.push_back(total / 2);
        window.after.push_back(total - total / 2);
    }
}

/// The extents of the axes between the first and the last.
Integers image_extents(NodeContext& n, ExprId x) {
    const Integers shape = n.build.static_shape(x);
    if (shape.size() < 3) throw Fault{"its input is no image", {}};
    return shape.from(1).without_last(1);
}

Window window_of_kernel(NodeContext& n, bool dilates) {
    Window window;
    window.kernel = image_extents(n, n.input(1));
    window.strides = {n.integer("stride_h"), n.integer("stride_w")};
    window.dilation = {1, 1};
    if (dilates) window.dilation = {n.integer("dilation_h_factor"), n.integer("dilation_w_factor")};
    return window;
}

/// Scales sums of products to the result's numbers, and applies the fused activation.
ExprId scaled_sums(NodeContext& n, ExprId sums, int axis, bool with_16_bits) {
    const TensorInfo &x = n.input_info(0), &weights = n.input_info(1), &result = n.output_info(0);
    return n.activated(n.requantized(sums, n.factors(x, weights, result), axis, with_16_bits), &result);
}

/// Where both are quantized; the bias is of int32 or int64, in the scale of the products.
bool has_integer_products(const NodeContext& n) {
    return n.quantized_input(0) && n.quantized_input(1) && n.quantized_output(0);
}

ExprId with_bias(NodeContext& n, ExprId value, size_t index, int axis) {
    if (!n.has(index)) return value;
    ExprId bias = n.input(index);
    if (n.build.dtype(value).is_float() && !n.build.dtype(bias).is_float())
        bias = n.dequantized(bias, n.input_info(index));
    return n.build.call("nn.bias_add", {value, n.build.cast(bias, n.build.dtype(value))}, {{"axis", axis}});
}

/// Weights as bytes: those of 4 bits are made wider.
ExprId byte_weights(NodeContext& n, size_t index) {
    const ExprId weights = n.input(index);
    return n.build.dtype(weights).is_narrow_integer() ? n.build.cast(weights, kInt8) : weights;
}

/// Real numbers as the kernels for float data and integer weights see them: rounded to 8 bits between the least and the
/// most of each row or image, and 0 (XNNPACK's qd8).
ExprId rounded_data(NodeContext& n, ExprId x) {
    Builder& b = n.build;
    const Integers shape = b.static_shape(x);
    const ExprId flat = b.reshape(x, Integers{shape.front(), *element_count(shape.from(1))}),
                 zero = b.real(0, kFloat32);
    const auto extreme = [&](const char* over, const char* of_two) {
        const ExprId found = b.call(over, {flat}, {{"axis", integer_attribute(Integers{1})}, {"keepdims", true}});
        return b.call(of_two, {found, zero});
    };
    const ExprId least = extreme("min", "minimum"), most = extreme("max", "maximum");
    const ExprId span = b.call("maximum", {b.subtract(most, least), b.real(1e-30, kFloat32)});
    const ExprId steps = b.divide(b.real(255, kFloat32), span);  // for each 1
    const ExprId offset = onnx::round_half_even(b, b.subtract(b.real(-128, kFloat32), b.multiply(least, steps)));
    const ExprId rounded = n.clipped(b.add(onnx::round_half_even(b, b.multiply(flat, steps)), offset), -128, 127);
    return b.reshape(b.divide(b.subtract(rounded, offset), steps), shape);
}

/// Returns the real data and weights of a product that is not one of integers.
std::pair<ExprId, ExprId> real_factors(NodeContext& n) {
    ExprId x = n.input(0), weights = n.input(1);
    const bool rounds = n.quantized_input(1) && !n.quantized_input(0);
    if (n.quantized_input(0)) x = n.dequantized(x, n.input_info(0));
    if (n.quantized_input(1)) weights = n.dequantized(weights, n.input_info(1));
    return {rounds ? rounded_data(n, x) : x, weights};
}

/// Applies the fused activation to real numbers, and quantizes them where the result is.
ExprId finished(NodeContext& n, ExprId value) {
    value = n.activated(value);
    return n.quantized_output(0) ? n.quantized(value, n.output_info(0)) : value;
}

Exprs convolution_of(NodeContext& n, const char* layout, int64_t groups, int64_t channels) {
    Window window = window_of_kernel(n, true);
    pad(n, window, image_extents(n, n.input(0)));
    const bool integers = has_integer_products(n), wide = integers && n.build.dtype(n.input(0)) == kInt16;
    Exprs arguments;
    if (integers) {
        const TensorInfo &x = n.input_info(0), &weights = n.input_info(1);
        arguments = {n.input(0), byte_weights(n, 1), n.zero_point(x), n.zero_point(weights),
                     n.scale(x), n.scale(weights)};
    } else {
        const auto [x, weights] = real_factors(n);
        arguments = {x, weights};
    }
    const ExprId made = n.build.call(integers ? "qnn.conv2d" : "nn.conv2d", arguments,
                                     {{"strides", integer_attribute(window.strides)},
                                      {"padding", padding_of(window)},
                                      {"dilation", integer_attribute(window.dilation)},
                                      {"groups", int(groups)},
                                      {"channels", int(channels)},
                                      {"kernel_size", integer_attribute(window.kernel)},
                                      {"data_layout", "NHWC"},
                                      {"kernel_layout", layout},
                                      {"out_dtype", !integers ? kVoid
                                                    : wide    ? kInt64
                                                              : kInt32}});
    const ExprId sums = with_bias(n, made, 2, 3);
    return {integers ? scaled_sums(n, sums, 3, wide) : finished(n, sums)};
}

Exprs convolution(NodeContext& n) {
    const Integers kernel = n.build.static_shape(n.input(1));
    const int64_t depth = n.build.static_shape(n.input(0)).back();
    if (kernel.size() != 4 || kernel[3] < 1 || depth % kernel[3] != 0)
        throw Fault{"its kernel does not fit its input", {}};
    return convolution_of(n, "OHWI", depth / kernel[3], kernel[0]);
}

Exprs depthwise_convolution(NodeContext& n) {
    const Integers kernel = n.build.static_shape(n.input(1));
    const int64_t depth = n.build.static_shape(n.input(0)).back();
    if (kernel.size() != 4 || kernel[0] != 1 || depth < 1 || kernel[3] % depth != 0)
        throw Fault{"its kernel does not fit its input", {}};
    return convolution_of(n, "IHWO", depth, kernel[3]);
}

Exprs convolution_3d(NodeContext& n) {
    Window window;
    const Integers kernel = n.build.static_shape(n.input(1));
    if (kernel.size() != 5) throw Fault{"its kernel has not five dimensions", {}};
    window.kernel = kernel.without_last(2);
    window.strides = {n.integer("stride_d"), n.integer("stride_h"), n.integer("stride_w")};
    window.dilation = {n.integer("dilation_d_factor"), n.integer("dilation_h_factor"), n.integer("dilation_w_factor")};
    pad(n, window, image_extents(n, n.input(0)));
    const ExprId made = n.build.call("nn.conv3d", {n.input(0), n.input(1)},
                                     {{"strides", integer_attribute(window.strides)},
                                      {"padding", padding_of(window)},
                                      {"dilation", integer_attribute(window.dilation)},
                                      {"channels", int(kernel[4])},
                                      {"kernel_size", integer_attribute(window.kernel)},
                                      {"data_layout", "NDHWC"},
                                      {"kernel_layout", "DHWIO"}});
    return {finished(n, with_bias(n, made, 2, 4))};
}

/// A transposed convolution whose result has these extents: padded as the convolution that it is the gradient of.
ExprId transposed(NodeContext& n, ExprId x, ExprId weights, Window window, const Integers& extents) {
    pad(n, window, extents);
    const Integers given = image_extents(n, x);
    Integers behind;
    for (size_t i = 0; i < 2; ++i) {
        const int64_t full = (given[i] - 1) * window.strides[i] + window.kernel[i];
        const int64_t more = extents[i] - (full - window.before[i] - window.after[i]);
        behind.push_back(std::max<int64_t>(more, 0));
        window.after[i] += std::max<int64_t>(-more, 0);
    }
    const int64_t channels = n.build.static_shape(weights).front();
    return n.build.call("nn.conv2d_transpose", {x, weights},
                        {{"strides", integer_attribute(window.strides)},
                         {"padding", padding_of(window)},
                         {"output_padding", integer_attribute(behind)},
                         {"channels", int(channels)},
                         {"kernel_size", integer_attribute(window.kernel)},
                         {"data_layout", "NHWC"},
                         {"kernel_layout", "OHWI"}});
}

Exprs transposed_convolution(NodeContext& n) {
    const Integers shape = n.known(0);
    if (shape.size() != 4) throw Fault{"the shape of its result has not four dimensions", {}};
    const Window window = window_of_kernel(n, false);
    const Integers extents = {shape[1], shape[2]};
    const auto centred = [&](size_t index) {
        // The numbers without scale, in float: their sums are exact up to 24 bits.
        const ExprId value = n.build.cast(byte_weights(n, index), kFloat32);
        const TensorInfo& info = n.input_info(index);
        if (info.quantization.zero_points.size() > 1) return value;
        return n.build.subtract(value, n.build.cast(n.zero_point(info), kFloat32));
    };
    if (n.quantized_input(1) && n.quantized_input(2) && n.quantized_output(0)) {
        const ExprId sums = n.build.cast(transposed(n, centred(2), centred(1), window, extents), kInt32);
        const ExprId all = with_bias(n, sums, 3, 3);
        const TensorInfo& result = n.output_info(0);
        return {
            n.activated(n.requantized(all, n.factors(n.input_info(2), n.input_info(1), result), 3, false), &result)};
    }
    ExprId weights = n.input(1);
    if (n.quantized_input(1)) weights = n.dequantized(weights, n.input_info(1));
    return {finished(n, with_bias(n, transposed(n, n.input(2), weights, window, extents), 3, 3))};
}

/// MediaPipe's: its options are the structure of the C interface: padding (1: SAME), stride of the width, of the
/// height.
Exprs transposed_convolution_with_bias(NodeContext& n) {
    const std::string_view bytes = n.op().custom_options;
    int32_t fields[3];
    if (bytes.size() < sizeof(fields)) throw Fault{"its options are too short", {}};
    std::memcpy(fields, bytes.data(), sizeof(fields));
    Window window;
    window.kernel = image_extents(n, n.input(1));
    window.strides = {fields[2], fields[1]};
    window.dilation = {1, 1};
    const Integers given = image_extents(n, n.input(0));
    Integers extents;
    for (size_t i = 0; i < 2; ++i) {
        if (window.strides[i] < 1 || window.strides[i] > 1000) throw Fault{"its stride is out of range", {}};
        const int64_t valid = (given[i] - 1) * window.strides[i] + window.kernel[i];
        extents.push_back(fields[0] == 1 ? given[i] * window.strides[i] : valid);
    }
    n.set_padding(fields[0] == 1 ? 0 : 1);
    return {with_bias(n, transposed(n, n.input(0), n.input(1), window, extents), 2, 3)};
}

/// x as a matrix, and what its shape is in the end.
Exprs fully_connected(NodeContext& n) {
    Builder& b = n.build;
    const Integers given = b.static_shape(n.input(0)), matrix = b.static_shape(n.input(1));
    if (matrix.size() != 2 || matrix[1] < 1) throw Fault{"its weights are no matrix", {}};
    if (n.integer("weights_format") != 0) throw Fault{"its weights are shuffled", {}};
    const int64_t elements = *element_count(given);
    if (elements % matrix[1] != 0) throw Fault{"its weights do not fit its input", {}};
    const Integers rows = {elements / matrix[1], matrix[1]};
    Integers shape = {rows[0], matrix[0]};
    if (n.flag("keep_num_dims")) {
        shape = given;
        shape.back() = matrix[0];
    }
    if (!has_integer_products(n)) {
        n.set_input(0, b.reshape(n.input(0), rows));
        const auto [x, weights] = real_factors(n);
        ExprId made = b.call("nn.dense", {x, weights}, {{"units", int(matrix[0])}});
        made = b.reshape(with_bias(n, made, 2, 1), shape);
        return {finished(n, made)};
    }
    const TensorInfo &x = n.input_info(0), &weights = n.input_info(1);
    const bool wide = b.dtype(n.input(0)) == kInt16;
    const ExprId sums = b.call("qnn.dense",
                               {b.reshape(n.input(0), rows), byte_weights(n, 1), n.zero_point(x), n.zero_point(weights),
                                n.scale(x), n.scale(weights)},
                               {{"units", int(matrix[0])}, {"out_dtype", wide ? kInt64 : kInt32}});
    return {b.reshape(scaled_sums(n, with_bias(n, sums, 2, 1), 1, false), shape)};
}

Exprs batch_product(NodeContext& n) {
    if (n.quantized_input(1) && n.input_info(1).quantization.scales.size() > 1)
        n.warn(
            "LiteRT's kernel for the CPU gives zeros where the second factor has a scale for each channel; here it "
            "is computed as the file says");
    ExprId a = n.input(0), b = n.input(1);
    if (n.flag("adj_x")) a = onnx::with_last_swapped(n.build, a);
    if (n.flag("adj_y")) b = onnx::with_last_swapped(n.build, b);
    return {onnx::matrix_product(n.build, a, b)};
}

ExprId pooled(NodeContext& n, const char* op, ExprId x) {
    Window window;
    window.kernel = {n.integer("filter_height"), n.integer("filter_width")};
    window.strides = {n.integer("stride_h"), n.integer("stride_w")};
    window.dilation = {1, 1};
    pad(n, window, image_extents(n, x));
    return n.build.call(op, {x},
                        {{"pool_size", integer_attribute(window.kernel)},
                         {"strides", integer_attribute(window.strides)},
                         {"padding", padding_of(window)},
                         {"layout", "NHWC"}});
}

/// The mean of integers is rounded to the nearest, half away from zero.
Exprs average_pool(NodeContext& n) {
    const ExprId x = n.input(0);
    if (!n.quantized_output(0) || n.build.dtype(x).is_float()) return {pooled(n, "nn.avg_pool2d", x)};
    const ExprId mean = pooled(n, "nn.avg_pool2d", n.build.cast(x, kFloat32));
    return {n.build.call("qnn.quantize", {mean, n.build.real(1, kFloat32), n.build.constant(0, kInt32)},
                         {{"out_dtype", n.build.dtype(x)}})};
}

Exprs max_pool(NodeContext& n) { return {pooled(n, "nn.max_pool2d", n.input(0))}; }

Exprs l2_pool(NodeContext& n) {
    const ExprId x = n.input(0);
    return {n.build.call("sqrt", {pooled(n, "nn.avg_pool2d", n.build.multiply(x, x))})};
}

Exprs l2_normalization(NodeContext& n) {
    Builder& b = n.build;
    const ExprId x = n.input(0);
    const ExprId sum =
        b.call("sum", {b.multiply(x, x)}, {{"axis", integer_attribute(Integers{-1})}, {"keepdims", true}});
    return {b.divide(x, b.call("maximum", {b.call("sqrt", {sum}), b.real(1e-6, b.dtype(x))}))};
}

Exprs local_response_normalization(NodeContext& n) {
    const int64_t size = 2 * n.integer("radius") + 1;
    // The engine divides alpha by the size, LiteRT does not.
    return {n.build.call("nn.lrn", {n.input(0)},
                         {{"size", int(size)},
                          {"axis", int(n.build.rank(n.input(0)) - 1)},
                          {"bias", n.real("bias")},
                          {"alpha", n.real("alpha") * double(size)},
                          {"beta", n.real("beta")}})};
}

Exprs resized(NodeContext& n, const char* method) {
    const Integers size = n.known(1);
    const bool corners = n.flag("align_corners"), half = n.flag("half_pixel_centers");
    const bool nearest = std::string_view(method) == "nearest_neighbor";
    return {n.build.call("image.resize2d", {n.input(0)},
                         {{"size", integer_attribute(size)},
                          {"layout", "NHWC"},
                          {"method", method},
                          {"coordinate_transformation_mode", corners ? "align_corners"
                                                             : half  ? "half_pixel"
                                                                     : "asymmetric"},
                          {"rounding_method", !nearest          ? ""
                                              : corners || half ? "round_prefer_ceil"
                                                                : "floor"}})};
}

Exprs resize_bilinear(NodeContext& n) { return resized(n, "linear"); }
Exprs resize_nearest(NodeContext& n) { return resized(n, "nearest_neighbor"); }

}  // namespace

std::span<const ConverterEntry> layer_converters() {
    using enum Numbers;
    static const ConverterEntry kTable[] = {
        {"AVERAGE_POOL_2D", average_pool, Moved},
        {"BATCH_MATMUL", batch_product},
        {"CONV_2D", convolution, Raw},
        {"CONV_3D", convolution_3d, Raw},
        {"Convolution2DTransposeBias", transposed_convolution_with_bias, Raw},
        {"DEPTHWISE_CONV_2D", depthwise_convolution, Raw},
        {"FULLY_CONNECTED", fully_connected, Raw},
        {"L2_NORMALIZATION", l2_normalization},
        {"L2_POOL_2D", l2_pool},
        {"LOCAL_RESPONSE_NORMALIZATION", local_response_normalization},
        {"MAX_POOL_2D", max_pool, Moved},
        {"RESIZE_BILINEAR", resize_bilinear},
        {"RESIZE_NEAREST_NEIGHBOR", resize_nearest, Moved},
        {"TRANSPOSE_CONV", transposed_convolution, Raw},
    };
    return kTable;
}

}  // namespace partita::litert
