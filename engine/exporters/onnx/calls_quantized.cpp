// Ops on quantized tensors. Results equal Relay's except for values halfway between two integers where ONNX's
// QuantizeLinear writes them, which rounds to even, Relay away from zero. What ONNX has for bytes only is written as
// arithmetic for wider integers.
#include <cmath>

#include "engine/exporters/onnx/call.h"
#include "engine/ops/convolution.h"

namespace partita::onnx_export {

namespace {

/// Converts a zero point from int32, as Relay has it, to the type of the data, as ONNX requires. One that is known only
/// at the run is taken as one that the data can have.
std::string zero_point(Call& c, size_t index, DataType dtype, bool as_one = false) {
    const Tensor* known = c.constant(index);
    if (!known) return c.cast(c.in(index), c.dtype(index), dtype);
    const double lowest = dtype == kInt8 ? -128 : 0;
    // ONNX Runtime multiplies with one zero point alone: equal ones are one.
    bool are_equal = known->size() > 0;
    for (int64_t i = 1; i < known->size(); ++i) are_equal = are_equal && known->at(i) == known->at(0);
    Tensor converted(dtype, are_equal && as_one ? std::vector<int64_t>() : known->shape());
    for (int64_t i = 0; i < converted.size(); ++i) {
        if (known->at(i) < lowest || known->at(i) > lowest + 255)
            c.refuse("ONNX's zero points are of " + dtype.to_string() + ", which does not hold " +
                     std::to_string(int64_t(known->at(i))));
        converted.set(i, known->at(i));
    }
    return c.constant_value(converted);
}

void require_bytes(const Call& c, DataType dtype) {
    if (dtype != kInt8 && dtype != kUInt8) c.refuse("ONNX quantizes to bytes only, not to " + dtype.to_string());
}

/// A scale or a zero point for each index of an axis, so that it broadcasts.
std::string along_axis(Call& c, std::string value, size_t count, int64_t axis) {
    if (count == 1) return value;
    std::vector<int64_t> shape(size_t(c.rank(0) - axis), 1);
    shape[0] = int64_t(count);
    return c.reshape(std::move(value), shape);
}

int64_t axis_of(Call& c) { return c.rank(0) ? c.axis("axis", c.rank(0)) : 0; }

/// Clips whole numbers to an integer type.
std::string clipped(Call& c, const std::string& whole, DataType to) {
    const bool is_unsigned = to.code == DataType::Code::UInt;
    const double beyond = std::ldexp(1.0, to.bits - (is_unsigned ? 0 : 1));
    return c.cast(
        c.node("Clip", {whole, c.scalar(is_unsigned ? 0 : -beyond, kFloat64), c.scalar(beyond - 1, kFloat64)}),
        kFloat64, to);
}

/// Rounds real numbers half away from zero, and clips them to an integer type.
std::string rounded(Call& c, const std::string& real, DataType from, DataType to) {
    const std::string wide = c.cast(real, from, kFloat64);
    const std::string size = c.node("Floor", {c.binary("Add", c.node("Abs", {wide}), c.scalar(0.5, kFloat64))});
    return clipped(c, c.binary("Mul", c.node("Sign", {wide}), size), to);
}

size_t count_of(const Call& c, size_t index) {
    const std::vector<int64_t> shape = c.shape(index);
    return shape.empty() ? 1 : size_t(shape[0]);
}

Names quantize(Call& c) {
    DataType dtype = c.result_dtype();
    if (!is_byte(dtype)) {
        const int64_t axis = axis_of(c);
        const std::string zero = c.cast(along_axis(c, c.in(2), count_of(c, 2), axis), kInt32, kFloat32);
        const std::string number = c.binary("Div", c.in(0), along_axis(c, c.in(1), count_of(c, 1), axis));
        return {rounded(c, c.binary("Add", number, zero), kFloat32, dtype)};
    }
    return {c.node("QuantizeLinear", {c.in(0), c.in(1), zero_point(c, 2, dtype)},
                   {{"axis", c.rank(0) ? c.axis("axis", c.rank(0)) : 0}})};
}

std::string dequantized(Call& c, size_t data, size_t scale, size_t zero, int64_t axis) {
    if (!is_byte(c.dtype(data))) {
        const std::string zeros = along_axis(c, c.in(zero), count_of(c, zero), axis);
        const std::string number = c.binary("Sub", c.cast(c.in(data), c.dtype(data), kInt32), zeros);
        return c.binary("Mul", c.cast(number, kInt32, kFloat32), along_axis(c, c.in(scale), count_of(c, scale), axis));
    }
    return c.node("DequantizeLinear", {c.in(data), c.in(scale), zero_point(c, zero, c.dtype(data))}, {{"axis", axis}});
}

Names dequantize(Call& c) { return {dequantized(c, 0, 1, 2, c.rank(0) ? c.axis("axis", c.rank(0)) : 0)}; }

/// Converts int8 to uint8 by adding 128.
std::string moved_up(Call& c, const std::string& bytes) {
    return c.cast(c.binary("Add", c.cast(bytes, kInt8, kInt32), c.scalar(128, kInt32)), kInt32, kUInt8);
}

/// Writes a ConvInteger, whose zero points are as Relay's.
std::string byte_convolution(Call& c, const ConvolutionGeometry& g, Names inputs) {
    const std::vector<int64_t> pads{g.window.pad_before[1], g.window.pad_before[2], g.window.pad_after[1],
                                    g.window.pad_after[2]};
    return c.node("ConvInteger", std::move(inputs),
                  {{"dilations", std::vector<int64_t>{g.window.dilation[1], g.window.dilation[2]}},
                   {"group", g.groups},
                   {"kernel_shape", std::vector<int64_t>{g.window.size[1], g.window.size[2]}},
                   {"pads", pads},
                   {"strides", std::vector<int64_t>{g.window.stride[1], g.window.stride[2]}}});
}

/// Convolves numbers of 16 bits by their bytes: x = 256 * high + low, where `high` is written 128 larger.
std::string wide_convolution(Call& c, const ConvolutionGeometry& g, const std::string& x, Names weights) {
    const Tensor* zero = c.constant(2);
    if (c.dtype(0) != kInt16 || !zero || zero->size() != 1 || zero->at(0) != 0)
        c.refuse("ONNX quantizes to bytes only, not to " + c.dtype(0).to_string());
    const std::string positive = c.binary("Add", c.cast(x, kInt16, kInt32), c.scalar(1 << 15, kInt32));
    const std::string low = c.binary("Mod", positive, c.scalar(256, kInt32));
    const std::string high = c.binary("Div", positive, c.scalar(256, kInt32));
    Names sums;
    for (const auto& [bytes, zero_of_bytes] : {std::pair(high, 128), std::pair(low, 0)}) {
        const Names inputs{c.cast(bytes, kInt32, kUInt8), weights[0], c.scalar(zero_of_bytes, kUInt8), weights[1]};
        sums.push_back(c.cast(byte_convolution(c, g, inputs), kInt32, kInt64));
    }
    const std::string y = c.binary("Add", c.binary("Mul", sums[0], c.scalar(256, kInt64)), sums[1]);
    return c.cast(y, kInt64, c.result_dtype());
}

Names convolution(Call& c) {
    auto g = convolution_geometry(c.attributes(), 2, false, c.shape(0), c.shape(1));
    if (!g) c.refuse(g.error().message);
    require_bytes(c, c.dtype(1));
    // ONNX Runtime convolves uint8 only.
    const auto unsigned_bytes = [&](const std::string& bytes, DataType dtype) {
        return dtype == kInt8 ? moved_up(c, bytes) : bytes;
    };
    const std::string x = c.to_layout(c.in(0), g->data_layout.text(), "NCHW");
    const Names weights{unsigned_bytes(c.to_layout(c.in(1), g->kernel_layout.text(), "OIHW"), c.dtype(1)),
                        unsigned_bytes(zero_point(c, 3, c.dtype(1), true), c.dtype(1))};
    std::string y;
    if (!is_byte(c.dtype(0))) y = wide_convolution(c, *g, x, weights);
    else {
        const std::string zero = unsigned_bytes(zero_point(c, 2, c.dtype(0), true), c.dtype(0));
        y = byte_convolution(c, *g, {unsigned_bytes(x, c.dtype(0)), weights[0], zero, weights[1]});
        y = c.cast(y, kInt32, c.result_dtype());
    }
    return {c.to_layout(y, "NCHW", g->out_layout.text())};
}

Names quantized_dense(Call& c) {
    if (!is_byte(c.dtype(0)) || !is_byte(c.dtype(1))) {  // sums of products of integers are exact in 64 bits
        Names factors;
        for (size_t i : {0, 1}) {
            std::string zero = c.in(i + 2);
            if (const size_t count = count_of(c, i + 2); count > 1) zero = c.reshape(zero, {int64_t(count), 1});
            factors.push_back(c.cast(c.binary("Sub", c.cast(c.in(i), c.dtype(i), kInt32), zero), kInt32, kFloat64));
        }
        const std::string y = c.binary("MatMul", factors[0], c.transpose(factors[1], {1, 0}));
        return {c.cast(y, kFloat64, c.result_dtype())};
    }
    std::string y = c.node("MatMulInteger", {c.in(0), c.transpose(c.in(1), {1, 0}), zero_point(c, 2, c.dtype(0), true),
                                             zero_point(c, 3, c.dtype(1), true)});
    return {c.cast(y, kInt32, c.result_dtype())};
}

/// As Requantizer computes it; its factors in fixed point are written in 64 bits of floating point.
Names requantize(Call& c) {
    const Tensor *scales = c.constant(1), *zeros = c.constant(2), *scale = c.constant(3), *zero = c.constant(4);
    if (!scales || !zeros || !scale || !zero) c.refuse("its scales and zero points are not known");
    const bool in_float = c.attributes().string("compute_dtype") == "float32";
    const DataType work = in_float ? kFloat32 : kFloat64;
    Tensor factors(work, scales->shape());
    for (int64_t i = 0; i < scales->size(); ++i) factors.set(i, scales->at(i) / scale->at(0));
    const int64_t axis = axis_of(c);
    std::string number = c.cast(c.in(0), c.dtype(0), kInt32);
    bool is_centered = true;
    for (int64_t i = 0; i < zeros->size(); ++i) is_centered = is_centered && zeros->at(i) == 0;
    if (!is_centered) number = c.binary("Sub", number, along_axis(c, c.in(2), size_t(zeros->size()), axis));
    std::string real = c.binary("Mul", c.cast(number, kInt32, work),
                                along_axis(c, c.constant_value(factors), size_t(factors.size()), axis));
    if (zero->at(0) != 0) real = c.binary("Add", real, c.scalar(zero->at(0), work));
    const std::string& rounding = c.attributes().string("rounding");
    if (rounding == "TOEVEN") return {clipped(c, c.cast(c.node("Round", {real}), work, kFloat64), c.result_dtype())};
    if (rounding == "TONEAREST") return {rounded(c, real, work, c.result_dtype())};
    real = c.node("Floor", {c.binary("Add", real, c.scalar(0.5, work))});
    return {rounded(c, real, work, c.result_dtype())};
}

const CallWriterEntry kQuantizedCallWriters[] = {
    {"qnn.conv2d", convolution}, {"qnn.dense", quantized_dense}, {"qnn.dequantize", dequantize},
    {"qnn.quantize", quantize},  {"qnn.requantize", requantize},
};

}  // namespace

std::span<const CallWriterEntry> quantized_call_writers() { return kQuantizedCallWriters; }

}  // namespace partita::onnx_export
