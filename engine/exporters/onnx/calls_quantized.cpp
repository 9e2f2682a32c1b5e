// Ops on quantized tensors. Results equal Relay's except for values halfway between two integers: ONNX's QuantizeLinear
// rounds these to even, Relay away from zero.
#include "engine/exporters/onnx/call.h"
#include "engine/ops/convolution.h"

namespace partita::onnx_export {

namespace {

/// Converts a zero point from int32, as Relay has it, to the type of the data, as ONNX requires. One that is known only
/// at the run is taken as one that the data can have.
std::string zero_point(Call& c, size_t index, DataType dtype) {
    const Tensor* known = c.constant(index);
    if (!known) return c.cast(c.in(index), c.dtype(index), dtype);
    const double lowest = dtype == kInt8 ? -128 : 0;
    Tensor converted(dtype, known->shape());
    for (int64_t i = 0; i < known->size(); ++i) {
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

Names quantize(Call& c) {
    DataType dtype = c.result_dtype();
    require_bytes(c, dtype);
    return {c.node("QuantizeLinear", {c.in(0), c.in(1), zero_point(c, 2, dtype)},
                   {{"axis", c.rank(0) ? c.axis("axis", c.rank(0)) : 0}})};
}

std::string dequantized(Call& c, size_t data, size_t scale, size_t zero, int64_t axis) {
    require_bytes(c, c.dtype(data));
    return c.node("DequantizeLinear", {c.in(data), c.in(scale), zero_point(c, zero, c.dtype(data))}, {{"axis", axis}});
}

Names dequantize(Call& c) { return {dequantized(c, 0, 1, 2, c.rank(0) ? c.axis("axis", c.rank(0)) : 0)}; }

/// Converts int8 to uint8 by adding 128.
std::string moved_up(Call& c, const std::string& bytes) {
    return c.cast(c.binary("Add", c.cast(bytes, kInt8, kInt32), c.scalar(128, kInt32)), kInt32, kUInt8);
}

/// Writes a ConvInteger, whose zero points are as Relay's.
Names convolution(Call& c) {
    auto g = convolution_geometry(c.attributes(), 2, false, c.shape(0), c.shape(1));
    if (!g) c.refuse(g.error().message);
    if (g->data_layout.text() != "NCHW" || g->kernel_layout.text() != "OIHW" || g->out_layout.text() != "NCHW")
        c.refuse("only the layouts NCHW and OIHW are supported");
    require_bytes(c, c.dtype(0));
    require_bytes(c, c.dtype(1));
    std::vector<int64_t> pads{g->window.pad_before[1], g->window.pad_before[2], g->window.pad_after[1],
                              g->window.pad_after[2]};
    Names inputs{c.in(0), c.in(1), zero_point(c, 2, c.dtype(0)), zero_point(c, 3, c.dtype(1))};
    for (size_t i = 0; i < 4; ++i)  // ONNX Runtime convolves uint8 only
        if (c.dtype(i % 2) == kInt8) inputs[i] = moved_up(c, inputs[i]);
    std::string y = c.node("ConvInteger", inputs,
                           {{"dilations", std::vector<int64_t>{g->window.dilation[1], g->window.dilation[2]}},
                            {"group", g->groups},
                            {"kernel_shape", std::vector<int64_t>{g->window.size[1], g->window.size[2]}},
                            {"pads", pads},
                            {"strides", std::vector<int64_t>{g->window.stride[1], g->window.stride[2]}}});
    return {c.cast(y, kInt32, c.result_dtype())};
}

Names quantized_dense(Call& c) {
    require_bytes(c, c.dtype(0));
    require_bytes(c, c.dtype(1));
    std::string y = c.node("MatMulInteger", {c.in(0), c.transpose(c.in(1), {1, 0}), zero_point(c, 2, c.dtype(0)),
                                             zero_point(c, 3, c.dtype(1))});
    return {c.cast(y, kInt32, c.result_dtype())};
}

const CallWriterEntry kQuantizedCallWriters[] = {
    {"qnn.conv2d", convolution},
    {"qnn.dense", quantized_dense},
    {"qnn.dequantize", dequantize},
    {"qnn.quantize", quantize},
};

}  // namespace

std::span<const CallWriterEntry> quantized_call_writers() { return kQuantizedCallWriters; }

}  // namespace partita::onnx_export
