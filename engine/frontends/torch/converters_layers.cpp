// Convolutions, products, normalization, pooling, attention, resizing and quantization of ATen.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/frontends/onnx/expressions.h"
#include "engine/frontends/onnx/quantized.h"
#include "engine/frontends/torch/call.h"

namespace partita::torch {

namespace {

/// The spatial extents of a convolution's weight or of a pooling's data.
Integers spatial_of(Call& c, ExprId x) { return c.build.static_shape(x).from(2); }

/// The same padding at both ends, as ONNX has it: all begins, all ends.
Integers both_ends(Integers pads) {
    pads.insert(pads.end(), pads.begin(), pads.begin() + int64_t(pads.size()));
    return pads;
}

void require_batch(Call& c, ExprId x, size_t spatial) {
    if (c.build.rank(x) != int64_t(spatial) + 2) throw Fault{"data without a batch are not supported", {}};
}

// --- convolutions and products ----------------------------------------------------------------------------------

Exprs convolve(Call& c, bool transposed, Integers pads) {
    const ExprId x = c.tensor("input"), w = c.tensor("weight");
    const size_t rank = spatial_of(c, w).size();
    require_batch(c, x, rank);
    const Integers strides = c.spread("stride", rank, 1), dilations = c.spread("dilation", rank, 1);
    const int64_t groups = c.integer("groups", 1);
    if (!transposed)
        return c.onnx("Conv", {x, w, c.optional_tensor("bias")},
                      {{"pads", std::move(pads)}, {"strides", strides}, {"dilations", dilations}, {"group", groups}});
    return c.onnx("ConvTranspose", {x, w, c.optional_tensor("bias")},
                  {{"pads", std::move(pads)},
                   {"strides", strides},
                   {"dilations", dilations},
                   {"output_padding", c.spread("output_padding", rank, 0)},
                   {"group", groups}});
}
Exprs convolution(Call& c) {
    const size_t rank = spatial_of(c, c.tensor("weight")).size();
    return convolve(c, c.flag("transposed", false), both_ends(c.spread("padding", rank, 0)));
}
Exprs transposed_convolution(Call& c) {
    return convolve(c, true, both_ends(c.spread("padding", spatial_of(c, c.tensor("weight")).size(), 0)));
}
/// The padding is a word: "valid" or "same", of which the end gets what is odd.
Exprs named_padding_convolution(Call& c) {
    const Integers kernel = spatial_of(c, c.tensor("weight"));
    const Integers dilations = c.spread("dilation", kernel.size(), 1);
    Integers pads(2 * kernel.size(), 0);
    for (size_t i = 0; i < kernel.size() && c.text("padding", "valid") == "same"; ++i) {
        const int64_t total = dilations[i] * (kernel[i] - 1);
        pads[i] = total / 2;
        pads[i + kernel.size()] = total - total / 2;
    }
    return convolve(c, false, pads);
}

ExprId product(Call& c, ExprId a, ExprId b) { return onnx::matrix_product(c.build, a, b); }
ExprId scaled(Call& c, ExprId x, double factor) {
    onnx::NodeContext n = c.context();
    return onnx::scaled(n, x, factor);
}

Exprs linear(Call& c) {
    const ExprId x = c.tensor("input"), w = c.tensor("weight");
    const ExprId y = c.build.rank(x) < 2 ? product(c, x, onnx::with_last_swapped(c.build, w))
                                         : onnx::product_with_rows(c.build, x, w);
    return {c.has("bias") ? c.build.add(y, c.tensor("bias")) : y};
}
template <const char* kLeft, const char* kRight>
Exprs added_product(Call& c) {
    const ExprId y = scaled(c, product(c, c.tensor(kLeft), c.tensor(kRight)), c.real("alpha", 1));
    const double beta = c.real("beta", 1);
    return {beta == 0 ? y : c.build.add(y, scaled(c, c.tensor("self"), beta))};
}
constexpr char kMat1[] = "mat1", kMat2[] = "mat2", kBatch1[] = "batch1", kBatch2[] = "batch2", kSelf[] = "self",
               kOther[] = "other", kVec[] = "vec";
template <const char* kRight>
Exprs plain_product(Call& c) {
    return {product(c, c.tensor(kSelf), c.tensor(kRight))};
}
Exprs einsum(Call& c) { return c.onnx("Einsum", c.tensors("tensors"), {{"equation", c.text("equation", "")}}); }

// --- normalization ----------------------------------------------------------------------------------------------

ExprId given_or(Call& c, std::string_view name, double value, const Integers& shape) {
    return c.has(name) ? c.tensor(name) : c.filled(value, c.build.dtype(c.tensor("input")), shape);
}

Exprs batch_norm(Call& c) {
    if (c.flag("training", false)) throw Fault{"training is not supported", {}};
    const ExprId x = c.tensor("input");
    const Integers channels{c.build.static_shape(x)[1]};
    return c.onnx("BatchNormalization",
                  {x, given_or(c, "weight", 1, channels), given_or(c, "bias", 0, channels), c.tensor("running_mean"),
                   c.tensor("running_var")},
                  {{"epsilon", c.real("eps", 1e-5)}});
}
Exprs layer_norm(Call& c) {
    const Integers shape = c.integers("normalized_shape");
    const ExprId bias = c.has("bias") ? c.tensor("bias") : c.filled(0, c.build.dtype(c.tensor("input")), shape);
    const size_t outputs = c.wants(1) || c.wants(2) ? 3 : 1;
    return c.onnx("LayerNormalization", {c.tensor("input"), given_or(c, "weight", 1, shape), bias},
                  {{"axis", -int64_t(shape.size())}, {"epsilon", c.real("eps", 1e-5)}}, outputs);
}
Exprs group_norm_of(Call& c, int64_t groups) {
    const ExprId x = c.tensor("input");
    const Integers channels{c.build.static_shape(x)[1]};
    return c.onnx("GroupNormalization", {x, given_or(c, "weight", 1, channels), given_or(c, "bias", 0, channels)},
                  {{"num_groups", groups}, {"epsilon", c.real("eps", 1e-5)}});
}
Exprs native_group_norm(Call& c) { return group_norm_of(c, c.integer("group", 1)); }
Exprs group_norm(Call& c) { return group_norm_of(c, c.integer("num_groups", 1)); }
Exprs instance_norm(Call& c) {
    if (!c.flag("use_input_stats", true)) throw Fault{"only the statistics of the input are supported", {}};
    const ExprId x = c.tensor("input");
    const Integers channels{c.build.static_shape(x)[1]};
    return c.onnx("InstanceNormalization", {x, given_or(c, "weight", 1, channels), given_or(c, "bias", 0, channels)},
                  {{"epsilon", c.real("eps", 1e-5)}});
}
Exprs rms_norm(Call& c) {
    const Integers shape = c.integers("normalized_shape");
    const DataType dtype = c.build.dtype(c.tensor("input"));
    const double least = dtype == kFloat64    ? 0x1p-52
                         : dtype == kFloat16  ? 0x1p-10
                         : dtype == kBFloat16 ? 0x1p-7
                                              : 0x1p-23;
    return c.onnx("RMSNormalization", {c.tensor("input"), given_or(c, "weight", 1, shape)},
                  {{"axis", -int64_t(shape.size())}, {"epsilon", c.real("eps", least)}});
}

// --- pooling ----------------------------------------------------------------------------------------------------

struct Pool {
    Integers kernel, strides, pads;
};
Pool pool_of(Call& c, size_t rank) {
    Pool pool{c.spread("kernel_size", rank, 1), {}, both_ends(c.spread("padding", rank, 0))};
    pool.strides = c.integers("stride").empty() ? pool.kernel : c.spread("stride", rank, 1);
    return pool;
}

template <size_t kRank>
Exprs max_pool(Call& c) {
    const ExprId x = c.tensor("self");
    require_batch(c, x, kRank);
    const Pool pool = pool_of(c, kRank);
    Exprs results = c.onnx("MaxPool", {x},
                           {{"kernel_shape", pool.kernel},
                            {"strides", pool.strides},
                            {"pads", pool.pads},
                            {"dilations", c.spread("dilation", kRank, 1)},
                            {"ceil_mode", int64_t(c.flag("ceil_mode", false))}},
                           c.wants(1) ? 2 : 1);
    if (results.size() < 2) return results;
    // ONNX counts places in the whole tensor, ATen in each plane.
    int64_t plane = 1;
    for (int64_t extent : spatial_of(c, x)) plane *= extent;
    results[1] = c.build.call("floor_mod", {results[1], c.build.constant(plane, kInt64)});
    return results;
}
template <size_t kRank>
Exprs average_pool(Call& c) {
    const ExprId x = c.tensor("self");
    require_batch(c, x, kRank);
    if (c.has("divisor_override")) throw Fault{"divisor_override is not supported", {}};
    const Pool pool = pool_of(c, kRank);
    return c.onnx("AveragePool", {x},
                  {{"kernel_shape", pool.kernel},
                   {"strides", pool.strides},
                   {"pads", pool.pads},
                   {"count_include_pad", int64_t(c.flag("count_include_pad", true))},
                   {"ceil_mode", int64_t(c.flag("ceil_mode", false))}});
}
Exprs adaptive_average_pool(Call& c) {
    const ExprId x = c.tensor("self");
    const Integers size = c.result_shape().from(size_t(c.build.rank(x)) - 2);
    require_batch(c, x, 2);
    if (size == Integers{1, 1}) return c.onnx("GlobalAveragePool", {x});
    return {c.build.call("nn.adaptive_avg_pool2d", {x}, {{"output_size", onnx::integer_attribute(size)}})};
}
Exprs adaptive_max_pool(Call& c) {
    const ExprId x = c.tensor("self");
    require_batch(c, x, 2);
    if (c.wants(1)) throw Fault{"the places of its maxima are not supported", {}};
    return {c.build.call("nn.adaptive_max_pool2d", {x},
                         {{"output_size", onnx::integer_attribute(c.result_shape().from(2))}})};
}

// --- attention, resizing ----------------------------------------------------------------------------------------

Exprs attention(Call& c) {
    ExprId q = c.tensor("query"), k = c.tensor("key"), v = c.tensor("value");
    if (c.real("dropout_p", 0) != 0) throw Fault{"dropout in training is random", {}};
    const Integers shape = c.build.static_shape(q);
    if (shape.size() < 3 || shape.size() > 4) throw Fault{"only tensors of rank 3 and 4 are supported", {}};
    if (shape.size() == 3)
        for (ExprId* part : {&q, &k, &v}) {
            Integers with_head = c.build.static_shape(*part);
            with_head.insert(with_head.begin() + 1, 1);
            *part = c.build.reshape(*part, with_head);
        }
    ExprId mask = c.optional_tensor("attn_mask");
    if (mask.valid() && shape.size() == 3 && c.build.rank(mask) == 3) {
        Integers with_head = c.build.static_shape(mask);
        with_head.insert(with_head.begin() + 1, 1);
        mask = c.build.reshape(mask, with_head);
    }
    const double scale = c.real("scale", 1 / std::sqrt(double(shape.back())));
    const ExprId y =
        c.one("Attention", {q, k, v, mask}, {{"scale", scale}, {"is_causal", int64_t(c.flag("is_causal", false))}});
    return {shape.size() == 3 ? c.build.reshape(y, c.result_shape()) : y};
}

Exprs resized(Call& c, std::string_view mode) {
    const ExprId x = c.tensor(c.has("input") ? "input" : "self");
    std::vector<double> factors = c.reals("scale_factors");
    for (std::string_view name : {"scales_d", "scales_h", "scales_w", "scales"})
        if (c.has(name)) factors.push_back(c.real(name, 1));
    const Integers shape = c.build.static_shape(x), result = c.result_shape();
    const std::string_view places = mode == "nearest"                ? "asymmetric"
                                    : c.flag("align_corners", false) ? "align_corners"
                                                                     : "half_pixel";
    const bool by_factors = factors.size() + 2 == shape.size();
    ExprId sizes, scales;
    if (by_factors) {
        Tensor all(kFloat32, {int64_t(shape.size())});
        for (size_t i = 0; i < shape.size(); ++i) all.set(int64_t(i), i < 2 ? 1 : factors[i - 2]);
        scales = c.build.constant(std::move(all));
    } else {
        sizes = c.build.integers(result);
    }
    return c.onnx("Resize", {x, {}, scales, sizes},
                  {{"mode", mode},
                   {"coordinate_transformation_mode", places},
                   {"nearest_mode", std::string_view("floor")},
                   {"cubic_coeff_a", -0.75}});
}
Exprs nearest(Call& c) { return resized(c, "nearest"); }
Exprs linearly(Call& c) { return resized(c, "linear"); }
Exprs cubically(Call& c) { return resized(c, "cubic"); }

Exprs grid_sample(Call& c) {
    static constexpr std::string_view kModes[] = {"linear", "nearest", "cubic"},
                                      kPaddings[] = {"zeros", "border", "reflection"};
    const int64_t mode = c.integer("interpolation_mode", 0), padding = c.integer("padding_mode", 0);
    if (mode < 0 || mode > 2 || padding < 0 || padding > 2) throw Fault{"its mode is not known", {}};
    return c.onnx("GridSample", {c.tensor("input"), c.tensor("grid")},
                  {{"mode", kModes[mode]},
                   {"padding_mode", kPaddings[padding]},
                   {"align_corners", int64_t(c.flag("align_corners", false))}});
}
Exprs to_space(Call& c) {
    return c.onnx("DepthToSpace", {c.tensor("self")},
                  {{"blocksize", c.integer("upscale_factor", 1)}, {"mode", std::string_view("CRD")}});
}

// --- quantization -----------------------------------------------------------------------------------------------

/// round(x * factor), ties to even, + zero point, within the bounds.
ExprId quantized(Call& c, ExprId x, ExprId factor, ExprId zero) {
    const DataType dtype = c.dtype("dtype", kInt8);
    ExprId y = c.build.add(onnx::round_half_even(c.build, c.build.multiply(x, factor)), zero);
    const auto bound = [&](const char* name) { return c.build.real(c.real(name, 0), kFloat32); };
    y = c.build.call("minimum", {bound("quant_max"), c.build.call("maximum", {bound("quant_min"), y})});
    return c.build.cast(y, dtype);
}
ExprId real_input(Call& c) { return c.build.cast(c.tensor("input"), kFloat32); }

Exprs quantize_per_tensor(Call& c) {
    if (c.is_tensor("scale")) {
        const ExprId one = c.build.real(1, kFloat32);
        return {quantized(c, real_input(c), c.build.divide(one, c.operand("scale", kFloat32)),
                          c.operand("zero_point", kFloat32))};
    }
    return {quantized(c, real_input(c), c.build.real(1 / c.real("scale", 1), kFloat32),
                      c.build.real(c.real("zero_point", 0), kFloat32))};
}
ExprId along_channels(Call& c, const char* name, DataType dtype, int64_t rank) {
    onnx::NodeContext n = c.context();
    return c.build.cast(onnx::along_axis(n, c.tensor(name), c.axis("axis", 0, rank), rank), dtype);
}
Exprs quantize_per_channel(Call& c) {
    const ExprId x = real_input(c);
    const int64_t rank = c.build.rank(x);
    const ExprId one = c.build.real(1, kFloat32), scale = along_channels(c, "scales", kFloat32, rank);
    return {quantized(c, x, c.build.divide(one, scale), along_channels(c, "zero_points", kFloat32, rank))};
}
/// (x - zero point) * scale
Exprs dequantize_per_tensor(Call& c) {
    const ExprId centred = c.build.subtract(c.build.cast(c.tensor("input"), kInt32), c.operand("zero_point", kInt32));
    return {c.build.multiply(c.build.cast(centred, kFloat32), c.operand("scale", kFloat32))};
}
Exprs dequantize_per_channel(Call& c) {
    ExprId x = c.build.cast(c.tensor("input"), kInt32);
    const int64_t rank = c.build.rank(x);
    if (c.has("zero_points")) x = c.build.subtract(x, along_channels(c, "zero_points", kInt32, rank));
    return {c.build.multiply(c.build.cast(x, kFloat32), along_channels(c, "scales", kFloat32, rank))};
}

const ConverterEntry kLayerConverters[] = {
    {"aten._adaptive_avg_pool2d", adaptive_average_pool},
    {"aten._native_batch_norm_legit_no_training", batch_norm},
    {"aten._scaled_dot_product_flash_attention_for_cpu", attention},
    {"aten.adaptive_avg_pool2d", adaptive_average_pool},
    {"aten.adaptive_max_pool2d", adaptive_max_pool},
    {"aten.addmm", added_product<kMat1, kMat2>},
    {"aten.avg_pool1d", average_pool<1>},
    {"aten.avg_pool2d", average_pool<2>},
    {"aten.avg_pool3d", average_pool<3>},
    {"aten.baddbmm", added_product<kBatch1, kBatch2>},
    {"aten.batch_norm", batch_norm},
    {"aten.bmm", plain_product<kMat2>},
    {"aten.conv1d", convolution},
    {"aten.conv1d.padding", named_padding_convolution},
    {"aten.conv2d", convolution},
    {"aten.conv2d.padding", named_padding_convolution},
    {"aten.conv3d", convolution},
    {"aten.conv3d.padding", named_padding_convolution},
    {"aten.conv_transpose1d", transposed_convolution},
    {"aten.conv_transpose2d", transposed_convolution},
    {"aten.conv_transpose3d", transposed_convolution},
    {"aten.convolution", convolution},
    {"aten.einsum", einsum},
    {"aten.grid_sampler", grid_sample},
    {"aten.grid_sampler_2d", grid_sample},
    {"aten.group_norm", group_norm},
    {"aten.instance_norm", instance_norm},
    {"aten.layer_norm", layer_norm},
    {"aten.linear", linear},
    {"aten.matmul", plain_product<kOther>},
    {"aten.max_pool1d", max_pool<1>},
    {"aten.max_pool2d", max_pool<2>},
    {"aten.max_pool2d_with_indices", max_pool<2>},
    {"aten.max_pool3d", max_pool<3>},
    {"aten.mm", plain_product<kMat2>},
    {"aten.mv", plain_product<kVec>},
    {"aten.native_group_norm", native_group_norm},
    {"aten.native_layer_norm", layer_norm},
    {"aten.pixel_shuffle", to_space},
    {"aten.rms_norm", rms_norm},
    {"aten.scaled_dot_product_attention", attention},
    {"aten.upsample_bicubic2d", cubically},
    {"aten.upsample_bilinear2d", linearly},
    {"aten.upsample_linear1d", linearly},
    {"aten.upsample_nearest1d", nearest},
    {"aten.upsample_nearest2d", nearest},
    {"aten.upsample_nearest3d", nearest},
    {"aten.upsample_trilinear3d", linearly},
    {"quantized_decomposed.dequantize_per_channel", dequantize_per_channel},
    {"quantized_decomposed.dequantize_per_tensor", dequantize_per_tensor},
    {"quantized_decomposed.quantize_per_channel", quantize_per_channel},
    {"quantized_decomposed.quantize_per_tensor", quantize_per_tensor},
};

}  // namespace

std::span<const ConverterEntry> layer_converters() { return kLayerConverters; }

}  // namespace partita::torch
