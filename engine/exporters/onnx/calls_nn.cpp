// Convolutions, pooling, normalisation, activations. ONNX supports plain layouts (NCHW, OIHW) only: others are
// transposed before and after.
#include <algorithm>

#include "engine/exporters/onnx/call.h"
#include "engine/ops/convolution.h"
#include "engine/ops/registry.h"

namespace partita::onnx_export {

namespace {

// --- layouts ----------------------------------------------------------------------------------------------------

std::string_view plain_layout(size_t spatial) {
    constexpr std::string_view kLayouts[] = {"", "NCW", "NCHW", "NCDHW"};
    return kLayouts[spatial];
}

std::vector<int64_t> last(const Extents& extents, size_t rank) {
    return {extents.end() - int64_t(rank), extents.end()};
}

std::vector<int64_t> pads_of(const Window& window, size_t rank) {
    std::vector<int64_t> pads = last(window.pad_before, rank), after = last(window.pad_after, rank);
    pads.insert(pads.end(), after.begin(), after.end());
    return pads;
}

// --- convolution ------------------------------------------------------------------------------------------------

/// An operand of an integer convolution: bytes minus a zero point ("" for 0).
struct Bytes {
    std::string value, zero_point;
    bool known = false;
};

/// Shifts int8 and its zero point up by 128, because ONNX Runtime convolves uint8 only.
Bytes moved_bytes(Call& c, ExprId bytes, double zero_point) {
    if (c.dtype_of(bytes) == kUInt8)
        return {c.value_of(bytes), zero_point == 0 ? "" : c.scalar(zero_point, kUInt8), true};
    std::string wide = c.binary("Add", c.cast(c.value_of(bytes), kInt8, kInt32), c.scalar(128, kInt32));
    return {c.cast(wide, kInt32, kUInt8), c.scalar(zero_point + 128, kUInt8), true};
}

Bytes constant_bytes(Call& c, const Tensor& constant) {
    double least = 0, most = 0;
    for (int64_t i = 0; i < constant.size(); ++i) {
        least = std::min(least, constant.at(i));
        most = std::max(most, constant.at(i));
    }
    double shift = least < 0 ? 128 : 0;
    if (least + shift < 0 || most + shift > 255) return {};
    Tensor bytes(kUInt8, constant.shape());
    for (int64_t i = 0; i < constant.size(); ++i) bytes.set(i, constant.at(i) + shift);
    return {c.constant_value(bytes), shift == 0 ? "" : c.scalar(shift, kUInt8), true};
}

/// Returns the operand of a cast, or the expression itself.
ExprId below_cast(Call& c, ExprId expr) {
    auto inner = c.arguments_if(expr, "cast");
    return !inner.empty() && is_byte(c.dtype_of(inner[0])) ? inner[0] : expr;
}

/// Returns bytes minus an unknown zero point.
Bytes less_unknown(Call& c, ExprId bytes, ExprId zero) {
    zero = below_cast(c, zero);
    if (!is_byte(c.dtype_of(bytes)) || !(c.dtype_of(zero) == c.dtype_of(bytes)) || !c.shape_of(zero).empty()) return {};
    return {moved_bytes(c, bytes, 0).value, moved_bytes(c, zero, 0).value, true};
}

/// Returns the bytes from which an operand of an integer convolution was made.
Bytes as_bytes(Call& c, ExprId operand) {
    double zero_point = 0;
    if (auto difference = c.arguments_if(operand, "subtract"); difference.size() == 2) {
        const Tensor* zero = c.constant_of(difference[1]);
        operand = below_cast(c, difference[0]);
        if (!zero || zero->size() != 1) return less_unknown(c, operand, difference[1]);
        zero_point = zero->at(0);
    }
    operand = below_cast(c, operand);
    const Tensor* constant = zero_point == 0 ? c.constant_of(operand) : nullptr;
    if (constant) return constant_bytes(c, *constant);
    return is_byte(c.dtype_of(operand)) ? moved_bytes(c, operand, zero_point) : Bytes();
}

struct Operands {
    std::string data, weight, data_zero, weight_zero;
    bool integers = false;
};

Operands operands_of(Call& c, std::span<const ExprId> arguments, DataType result) {
    if (result.is_float()) {
        return {c.cast(c.value_of(arguments[0]), c.dtype_of(arguments[0]), result),
                c.cast(c.value_of(arguments[1]), c.dtype_of(arguments[1]), result), "", "", false};
    }
    Bytes data = as_bytes(c, arguments[0]), weight = as_bytes(c, arguments[1]);
    if (!data.known || !weight.known || result != kInt32)
        c.refuse("ONNX has convolutions of floating-point numbers and of bytes only");
    return {data.value, weight.value, data.zero_point, weight.zero_point, true};
}

ConvolutionGeometry geometry_of(const Call& c, ExprId call, size_t rank, bool transposed) {
    auto arguments = c.module().arguments(call);
    auto geometry = convolution_geometry(attributes_of(c.module(), call), rank, transposed, c.shape_of(arguments[0]),
                                         c.shape_of(arguments[1]));
    if (!geometry) c.refuse(geometry.error().message);
    return *geometry;
}

NodeAttributes window_attributes(const ConvolutionGeometry& g) {
    return {{"dilations", last(g.window.dilation, g.rank)},
            {"group", g.groups},
            {"kernel_shape", last(g.window.size, g.rank)},
            {"pads", pads_of(g.window, g.rank)},
            {"strides", last(g.window.stride, g.rank)}};
}

/// Writes a convolution with an optional bias ("" for none) and transposes the result back to its layout.
std::string convolved(Call& c, ExprId call, size_t rank, bool transposed, const std::string& bias) {
    ConvolutionGeometry g = geometry_of(c, call, rank, transposed);
    if (g.kernel_axes.starts_with('G')) c.refuse("a weight with a group axis is not supported");
    Operands operands = operands_of(c, c.module().arguments(call), c.dtype_of(call));
    if (operands.integers && transposed) c.refuse("ONNX has no transposed convolution of bytes");
    // ONNX puts the input channels of a transposed convolution first, as kernel_axes does.
    std::string data = c.to_layout(operands.data, g.data_layout.text(), g.data_axes);
    std::string weight = c.to_layout(operands.weight, g.kernel_layout.text(), g.kernel_axes);
    NodeAttributes attributes = window_attributes(g);
    if (transposed) {
        std::vector<int64_t> padding = attributes_of(c.module(), call).integers("output_padding");
        padding.resize(rank, padding.empty() ? 0 : padding.back());
        attributes.push_back({"output_padding", padding});
    }
    const char* op_type = transposed ? "ConvTranspose" : operands.integers ? "ConvInteger" : "Conv";
    Names inputs{data, weight, bias};
    if (operands.integers) inputs = {data, weight, operands.data_zero, operands.weight_zero};
    std::string result = c.node(op_type, inputs, std::move(attributes));
    return c.to_layout(result, g.data_axes, g.out_layout.text());
}

template <size_t kRank, bool kTransposed>
Names convolution(Call& c) {
    return {convolved(c, c.expr(), kRank, kTransposed, {})};
}

struct ConvolutionOp {
    std::string_view name;
    size_t rank;
    bool transposed;
};
constexpr ConvolutionOp kConvolutions[] = {{"nn.conv1d", 1, false},          {"nn.conv2d", 2, false},
                                           {"nn.conv3d", 3, false},          {"nn.conv1d_transpose", 1, true},
                                           {"nn.conv2d_transpose", 2, true}, {"nn.conv3d_transpose", 3, true}};

/// Writes a bias addition together with its convolution as one node, if nothing else uses the convolution.
std::string biased_convolution(Call& c) {
    ExprId data = c.argument(0);
    const OpRecord* op = called_op_record(c.module(), data);
    if (!op || c.uses(data) != 1 || !c.result_dtype().is_float() || c.axis("axis", c.rank(0)) != 1) return {};
    for (const ConvolutionOp& known : kConvolutions) {
        if (known.name != op->name) continue;
        ConvolutionGeometry g = geometry_of(c, data, known.rank, known.transposed);
        return g.out_layout.text() == g.data_axes ? convolved(c, data, known.rank, known.transposed, c.in(1)) : "";
    }
    return {};
}

/// Writes a bias addition together with its matrix product as one node, if nothing else uses the product.
std::string biased_product(Call& c) {
    auto operands = c.arguments_if(c.argument(0), "nn.dense");
    if (operands.empty() || c.uses(c.argument(0)) != 1 || c.axis("axis", c.rank(0)) != 1) return {};
    DataType dtype = c.result_dtype();
    bool plain =
        c.rank(0) == 2 && dtype.is_float() && c.dtype_of(operands[0]) == dtype && c.dtype_of(operands[1]) == dtype;
    if (!plain) return {};
    return c.node("Gemm", {c.value_of(operands[0]), c.value_of(operands[1]), c.in(1)}, {{"transB", int64_t(1)}});
}

Names bias_add(Call& c) {
    for (auto* with_bias : {biased_convolution, biased_product})
        if (std::string whole = with_bias(c); !whole.empty()) return {whole};
    int64_t rank = c.rank(0), axis = c.axis("axis", rank);
    std::string bias = c.in(1);
    if (axis + 1 < rank) {
        std::vector<int64_t> spread(size_t(rank - axis), 1);
        spread[0] = c.shape(1)[0];
        bias = c.reshape(bias, spread);
    }
    return {c.binary("Add", c.in(0), bias)};
}

// --- pooling ----------------------------------------------------------------------------------------------------

std::string pooled(Call& c, std::string_view op_type, size_t rank, NodeAttributes attributes) {
    const std::string& layout = c.attributes().string("layout");
    std::string data = c.to_layout(c.in(0), layout, plain_layout(rank));
    return c.to_layout(c.node(op_type, {data}, std::move(attributes)), plain_layout(rank), layout);
}

/// Returns whether a last window begins in the padding behind the data: Relay counts it, ONNX does not.
bool has_window_of_padding(Call& c, const Window& window, size_t rank) {
    const std::vector<int64_t> order = c.order_of(c.attributes().string("layout"), plain_layout(rank)),
                               data = c.shape(0), result = c.result_shape(), pads = pads_of(window, rank),
                               strides = last(window.stride, rank);
    for (size_t i = 0; i < rank; ++i) {
        const size_t axis = size_t(order[i + 2]);
        if ((result[axis] - 1) * strides[i] >= data[axis] + pads[i]) return true;
    }
    return false;
}

template <size_t kRank, bool kMaximum>
Names pool(Call& c) {
    const AttributesView& a = c.attributes();
    if (!c.dtype(0).is_float() && !kMaximum) c.refuse("ONNX averages floating-point numbers only");
    std::vector<int64_t> size = a.integers("pool_size");
    if (size.size() == 1) size.resize(kRank, size[0]);
    auto window = read_window(a, size, kRank);
    if (!window) c.refuse(window.error().message);
    if (a.boolean("ceil_mode") && has_window_of_padding(c, *window, kRank))
        c.refuse("with ceil_mode its last window begins behind the data, where ONNX has none");
    NodeAttributes attributes{{"ceil_mode", int64_t(a.boolean("ceil_mode"))},
                              {"kernel_shape", size},
                              {"pads", pads_of(*window, kRank)},
                              {"strides", last(window->stride, kRank)}};
    bool dilated = last(window->dilation, kRank) != std::vector<int64_t>(kRank, 1);
    if (kMaximum) attributes.push_back({"dilations", last(window->dilation, kRank)});
    else if (dilated) c.refuse("ONNX's operator set 17 has no dilated average pooling");
    if (!kMaximum) attributes.push_back({"count_include_pad", int64_t(a.boolean("count_include_pad"))});
    return {pooled(c, kMaximum ? "MaxPool" : "AveragePool", kRank, std::move(attributes))};
}

/// Writes a pooling. ONNX pools real numbers only. Relay truncates means of integers toward zero, as ONNX's division
/// does.
template <bool kMaximum>
Names global_pool_of_integers(Call& c) {
    if (c.dtype(0).is_bool()) c.refuse("ONNX pools numbers only");
    const std::string& layout = c.attributes().string("layout");
    std::vector<int64_t> axes{int64_t(layout.find('H')), int64_t(layout.find('W'))};
    if (kMaximum) return {c.node("ReduceMax", {c.in(0)}, {{"axes", axes}, {"keepdims", int64_t(1)}})};
    std::string sum = c.node("ReduceSum", {c.in(0), c.integers(axes)}, {{"keepdims", int64_t(1)}});
    std::vector<int64_t> shape = c.shape(0);
    return {c.binary("Div", sum, c.scalar(double(shape.at(size_t(axes[0])) * shape.at(size_t(axes[1]))), c.dtype(0)))};
}

template <bool kMaximum>
Names global_pool(Call& c) {
    if (!c.dtype(0).is_float()) return global_pool_of_integers<kMaximum>(c);
    return {pooled(c, kMaximum ? "GlobalMaxPool" : "GlobalAveragePool", 2, {})};
}

/// Writes an adaptive pooling as windows of one size, if the extents of the result divide those of the data.
template <size_t kRank, bool kMaximum>
Names adaptive_pool(Call& c) {
    const std::string& layout = c.attributes().string("layout");
    std::vector<int64_t> order = c.order_of(layout, plain_layout(kRank)), size;
    std::vector<int64_t> data = c.shape(0), result = c.result_shape();
    bool whole = true;
    for (size_t i = 2; i < order.size(); ++i) {
        int64_t from = data[size_t(order[i])], to = result[size_t(order[i])];
        if (to == 0 || from % to) c.refuse("ONNX has no adaptive pooling to extents that do not divide the data's");
        size.push_back(from / to);
        whole = whole && to == 1;
    }
    if (whole) return {pooled(c, kMaximum ? "GlobalMaxPool" : "GlobalAveragePool", kRank, {})};
    return {pooled(c, kMaximum ? "MaxPool" : "AveragePool", kRank, {{"kernel_shape", size}, {"strides", size}})};
}

// --- normalisation ----------------------------------------------------------------------------------------------

/// Returns the permutation that moves an axis.
std::vector<int64_t> axis_to(int64_t rank, int64_t from, int64_t to) {
    std::vector<int64_t> order;
    for (int64_t i = 0; i < rank; ++i)
        if (i != from) order.push_back(i);
    order.insert(order.begin() + to, from);
    return order;
}

/// Returns the factor and summand of a normalisation: 1 and 0 where `scale` and `center` are off.
Names scale_and_shift(Call& c) {
    c.require_floats();
    return {c.attributes().boolean("scale") ? c.in(1) : c.filled(c.shape(1), 1, c.dtype(1)),
            c.attributes().boolean("center") ? c.in(2) : c.filled(c.shape(2), 0, c.dtype(2))};
}

Names batch_norm(Call& c) {
    int64_t rank = c.rank(0), axis = c.axis("axis", rank);
    if (rank < 2) c.refuse("data of rank 1 is not supported");
    Names factors = scale_and_shift(c);
    std::string x = c.transpose(c.in(0), axis_to(rank, axis, 1));
    std::string y = c.node("BatchNormalization", {x, factors[0], factors[1], c.in(3), c.in(4)},
                           {{"epsilon", c.attributes().real("epsilon")}});
    return {c.transpose(y, axis_to(rank, 1, axis)), c.in(3), c.in(4)};
}

Names instance_norm(Call& c) {
    int64_t rank = c.rank(0), axis = c.axis("axis", rank);
    Names factors = scale_and_shift(c);
    std::string x = c.transpose(c.in(0), axis_to(rank, axis, 1));
    std::string y =
        c.node("InstanceNormalization", {x, factors[0], factors[1]}, {{"epsilon", c.attributes().real("epsilon")}});
    return {c.transpose(y, axis_to(rank, 1, axis))};
}

Names layer_norm(Call& c) {
    int64_t rank = c.rank(0), axis = c.axis("axis", rank);
    Names factors = scale_and_shift(c);
    std::string x = c.transpose(c.in(0), axis_to(rank, axis, rank - 1));
    std::string y = c.node("LayerNormalization", {x, factors[0], factors[1]},
                           {{"axis", int64_t(-1)}, {"epsilon", c.attributes().real("epsilon")}});
    return {c.transpose(y, axis_to(rank, rank - 1, axis))};
}

/// Writes a group normalisation as an instance normalisation with a channel for each group.
Names group_norm(Call& c) {
    std::vector<int64_t> shape = c.shape(0);
    int64_t rank = int64_t(shape.size()), axis = c.axis("axis", rank), groups = c.attributes().integer("num_groups");
    if (axis != 1 || groups < 1) c.refuse("only groups along the second axis are supported");
    DataType dtype = c.dtype(0);
    Names factors = scale_and_shift(c);
    std::string grouped = c.reshape(c.in(0), {shape[0], groups, -1});
    std::string y =
        c.node("InstanceNormalization", {grouped, c.filled({groups}, 1, dtype), c.filled({groups}, 0, dtype)},
               {{"epsilon", c.attributes().real("epsilon")}});
    std::vector<int64_t> spread(size_t(rank - 1), 1);
    spread[0] = shape[1];
    y = c.binary("Mul", c.reshape(y, shape), c.reshape(factors[0], spread));
    return {c.binary("Add", y, c.reshape(factors[1], spread))};
}

Names local_response(Call& c) {
    c.require_floats();
    int64_t rank = c.rank(0), axis = c.axis("axis", rank);
    std::string x = c.transpose(c.in(0), axis_to(rank, axis, 1));
    std::string y = c.node("LRN", {x},
                           {{"alpha", c.attributes().real("alpha")},
                            {"beta", c.attributes().real("beta")},
                            {"bias", c.attributes().real("bias")},
                            {"size", c.attributes().integer("size")}});
    return {c.transpose(y, axis_to(rank, 1, axis))};
}

/// x / sqrt(max(sum of squares, eps))
Names l2_normalize(Call& c) {
    c.require_floats();
    std::string squares = c.binary("Mul", c.in(0), c.in(0));
    std::string sum = c.node("ReduceSum", {squares, c.integers(c.axes("axis", c.rank(0)))}, {{"keepdims", int64_t(1)}});
    std::string bounded = c.binary("Max", sum, c.scalar(c.attributes().real("eps"), c.dtype(0)));
    return {c.binary("Div", c.in(0), c.node("Sqrt", {bounded}))};
}

template <bool kLogarithm>
Names softmax(Call& c) {
    c.require_floats();
    return {c.node(kLogarithm ? "LogSoftmax" : "Softmax", {c.in(0)}, {{"axis", c.axis("axis", c.rank(0))}})};
}

/// Writes dropout for inference: the data itself, and a mask of ones.
Names dropout(Call& c) { return {c.in(0), c.filled(c.shape(0), 1, c.dtype(0))}; }

// --- activations ------------------------------------------------------------------------------------------------

Names relu(Call& c) { return {c.node("Relu", {c.in(0)})}; }

Names leaky_relu(Call& c) {
    c.require_floats();
    return {c.node("LeakyRelu", {c.in(0)}, {{"alpha", c.attributes().real("alpha")}})};
}

Names parametric_relu(Call& c) {
    int64_t rank = c.rank(0), axis = c.axis("axis", rank);
    std::vector<int64_t> spread(size_t(rank - axis), 1);
    spread[0] = c.shape(1)[0];
    return {c.node("PRelu", {c.in(0), c.reshape(c.in(1), spread)})};
}

Names batch_flatten(Call& c) { return {c.node("Flatten", {c.in(0)}, {{"axis", int64_t(1)}})}; }

const CallWriterEntry kNnCallWriters[] = {
    {"nn.adaptive_avg_pool1d", adaptive_pool<1, false>},
    {"nn.adaptive_avg_pool2d", adaptive_pool<2, false>},
    {"nn.adaptive_avg_pool3d", adaptive_pool<3, false>},
    {"nn.adaptive_max_pool1d", adaptive_pool<1, true>},
    {"nn.adaptive_max_pool2d", adaptive_pool<2, true>},
    {"nn.adaptive_max_pool3d", adaptive_pool<3, true>},
    {"nn.avg_pool1d", pool<1, false>},
    {"nn.avg_pool2d", pool<2, false>},
    {"nn.avg_pool3d", pool<3, false>},
    {"nn.batch_flatten", batch_flatten},
    {"nn.batch_norm", batch_norm},
    {"nn.bias_add", bias_add},
    {"nn.conv1d", convolution<1, false>},
    {"nn.conv1d_transpose", convolution<1, true>},
    {"nn.conv2d", convolution<2, false>},
    {"nn.conv2d_transpose", convolution<2, true>},
    {"nn.conv3d", convolution<3, false>},
    {"nn.conv3d_transpose", convolution<3, true>},
    {"nn.dropout", dropout},
    {"nn.fast_softmax", softmax<false>},
    {"nn.global_avg_pool2d", global_pool<false>},
    {"nn.global_max_pool2d", global_pool<true>},
    {"nn.group_norm", group_norm},
    {"nn.instance_norm", instance_norm},
    {"nn.l2_normalize", l2_normalize},
    {"nn.layer_norm", layer_norm},
    {"nn.leaky_relu", leaky_relu},
    {"nn.log_softmax", softmax<true>},
    {"nn.lrn", local_response},
    {"nn.max_pool1d", pool<1, true>},
    {"nn.max_pool2d", pool<2, true>},
    {"nn.max_pool3d", pool<3, true>},
    {"nn.prelu", parametric_relu},
    {"nn.relu", relu},
    {"nn.softmax", softmax<false>},
};

}  // namespace

std::span<const CallWriterEntry> nn_call_writers() { return kNnCallWriters; }

}  // namespace partita::onnx_export
