#include "engine/ops/qnn_c.h"

#include "engine/ops/c_writer.h"
#include "engine/ops/convolution_c.h"
#include "engine/ops/quantization.h"
#include "engine/ops/relations.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

int64_t count_of(const CTensor& tensor) { return element_count(tensor.shape).value_or(0); }

/// Returns an element of a scale or zero point: the only one, or that of channel `c`.
std::string parameter(const CTensor& tensor, const char* channel = "c") {
    return tensor.name + "[" + (count_of(tensor) == 1 ? "0" : channel) + "]";
}

/// Writes statements that convert numbers from one scale to another, as Requantizer does.
class RequantizeInC {
public:
    /// `suffix` distinguishes the names of two of them.
    explicit RequantizeInC(CWriter& code, std::string suffix = {}, const std::string& rounding = "None",
                           const std::string& compute = "None")
        : code_(code), suffix_(std::move(suffix)), to_nearest_(rounding == "TONEAREST"), to_even_(rounding == "TOEVEN"),
          in_double_(compute == "float64"), in_float_(compute == "float32") {}

    void prepare(const std::string& from_scale, const std::string& to_scale, const std::string& from_zero,
                 const std::string& to_zero) {
        auto declare = [&](const char* type, const char* what, const std::string& value) {
            code_.line("const " + std::string(type) + " " + name(what) + " = " + value + ";");
        };
        declare("float", "from", from_scale);
        declare("float", "to", to_scale);
        declare("uint32_t", "from_zero", "(uint32_t)" + from_zero);
        declare("int32_t", "to_zero", to_zero);
        declare("double", "ratio", "(double)" + name("from") + " / (double)" + name("to"));
        declare(
            "double", "factor",
            "ratio" + suffix_ + " >= 0 && ratio" + suffix_ + " <= 1.7976931348623157e308 ? ratio" + suffix_ + " : 0");
        if (in_double_ || in_float_) return;
        code_.line("int exponent" + suffix_ + " = 0;");
        code_.line("int64_t multiplier" + suffix_ + " = (int64_t)round(frexp(" + name("factor") + ", &exponent" +
                   suffix_ + ") * 2147483648.0);");
        code_.open("if (" + name("multiplier") + " == INT64_C(2147483648))");
        code_.line(name("multiplier") + " /= 2;");
        code_.line("++" + name("exponent") + ";");
        code_.close();
        declare("int", "left",
                name("exponent") + " <= 0 ? 0 : " + name("exponent") + " < 31 ? " + name("exponent") + " : 31");
        declare("int", "right", "31 - (" + name("exponent") + " < 0 ? " + name("exponent") + " : 0)");
    }

    /// Declares `int32_t RESULT`: the number in the other quantization, not yet clipped.
    void apply(const std::string& result, const std::string& value) {
        std::string centered = result + "_centered", scaled = result + "_scaled";
        code_.line("const int32_t " + centered + " = (int32_t)((uint32_t)" + value + " - " + name("from_zero") + ");");
        if (in_double_ || in_float_) {
            apply_in_floating_point(result, centered);
            return;
        }
        code_.line("int32_t " + scaled + " = " + centered + ";");
        code_.open("if (" + name("from") + " != " + name("to") + ")");
        code_.line("const uint64_t product = ((uint64_t)(int64_t)" + centered + " << " + name("left") +
                   ") * (uint64_t)" + name("multiplier") + ";");
        std::string less = to_nearest_ ? " - ((int64_t)product < 0 ? 1 : 0)" : "";
        code_.line(scaled + " = " + name("right") + " > 62 ? 0 : (int32_t)((int64_t)(product + (UINT64_C(1) << (" +
                   name("right") + " - 1))" + less + ") >> " + name("right") + ");");
        code_.close();
        code_.line("const int32_t " + result + " = (int32_t)((uint32_t)" + scaled + " + (uint32_t)" + name("to_zero") +
                   ");");
    }

private:
    std::string name(const char* what) const { return what + suffix_; }

    void apply_in_floating_point(const std::string& result, const std::string& centered) {
        std::string type = in_double_ ? "double" : "float", real = result + "_real";
        code_.line("const " + type + " " + real + " = (" + name("from") + " == " + name("to") + " ? (" + type + ")" +
                   centered + " : (" + type + ")" + name("factor") + " * (" + type + ")" + centered + ") + (" + type +
                   ")" + name("to_zero") + ";");
        std::string rounded = to_nearest_ ? "round((double)" + real + ")"
                              : to_even_  ? "rint((double)" + real + ")"
                                          : "floor((double)(" + real + (in_double_ ? " + 0.5))" : " + 0.5f))");
        code_.line("const double " + result + "_rounded = " + rounded + ";");
        code_.line("const int32_t " + result + " = " + c_saturate(result + "_rounded", kFloat64, kInt32) + ";");
    }

    CWriter& code_;
    std::string suffix_;
    bool to_nearest_, to_even_, in_double_, in_float_;
};

/// Writes `OUTPUT[place] = (T)value`, clipped to T's range.
void store_clipped(CWriter& code, const CTensor& output, const std::string& place, const std::string& value) {
    IntegerRange range = range_of(output.dtype);
    std::string low = c_constant(kInt32, int64_t(range.lowest)), high = c_constant(kInt32, int64_t(range.highest));
    std::string clipped = output.dtype == kInt32 ? value
                                                 : value + " < " + low + " ? " + low + " : " + value + " > " + high +
                                                       " ? " + high + " : " + value;
    code.line(output.name + "[" + place + "] = (" + c_type(output.dtype) + ")(" + clipped + ");");
}

/// Opens loops over a tensor so that `c` is the channel of the element `i`; returns the number of loops to close.
/// `prepare` writes the statements for each channel.
template <class Prepare>
int open_channels(CWriter& code, const CTensor& data, int64_t axis, size_t channels, const Prepare& prepare) {
    ChannelShape shape = channel_shape(data.shape, axis, channels);
    int64_t size = count_of(data);
    if (shape.channels == 1) {
        prepare();
        code.open_loop("i", size);
        return 1;
    }
    int64_t slice = shape.channels * shape.inner;
    code.open_loop("o", slice ? size / slice : 0);
    code.open_loop("c", shape.channels);
    prepare();
    std::string begin = "(o * " + number(shape.channels) + " + c) * " + number(shape.inner);
    code.open_loop("i", begin, begin + " + " + number(shape.inner));
    return 3;
}

size_t channels_of(const CTensor& scales, const CTensor& zeros) {
    return size_t(std::max(count_of(scales), count_of(zeros)));
}

}  // namespace

Status quantize_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &output = loops.outputs[0];
    CWriter code(loops.code, loops.indent);
    code.open("");
    int depth =
        open_channels(code, data, loops.attributes.integer("axis"), channels_of(loops.inputs[1], loops.inputs[2]), [&] {
            code.line("const float scale = " + parameter(loops.inputs[1]) + ";");
            code.line("const float zero = (float)" + parameter(loops.inputs[2]) + ";");
        });
    IntegerRange range = range_of(output.dtype);
    std::string low = c_constant(kFloat32, double(range.lowest)),
                high = c_constant(kFloat32, double(float(range.highest)));
    code.line("float v = roundf(" + data.name + "[i] / scale) + zero;");
    code.line("v = v < " + high + " ? v : " + high + ";");
    code.line("v = v > " + low + " ? v : " + low + ";");
    code.line(output.name + "[i] = " + c_saturate("v", kFloat32, output.dtype) + ";");
    for (int i = 0; i < depth + 1; ++i) code.close();
    return Nothing();
}

Status dequantize_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &output = loops.outputs[0];
    CWriter code(loops.code, loops.indent);
    code.open("");
    int depth =
        open_channels(code, data, loops.attributes.integer("axis"), channels_of(loops.inputs[1], loops.inputs[2]), [&] {
            code.line("const float scale = " + parameter(loops.inputs[1]) + ";");
            code.line("const uint32_t zero = (uint32_t)" + parameter(loops.inputs[2]) + ";");
        });
    code.line(output.name + "[i] = (float)(int32_t)((uint32_t)" + data.name + "[i] - zero) * scale;");
    for (int i = 0; i < depth + 1; ++i) code.close();
    return Nothing();
}

Status requantize_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &output = loops.outputs[0];
    CWriter code(loops.code, loops.indent);
    RequantizeInC requantize(code, "", loops.attributes.string("rounding"), loops.attributes.string("compute_dtype"));
    code.open("");
    int depth =
        open_channels(code, data, loops.attributes.integer("axis"), channels_of(loops.inputs[1], loops.inputs[2]), [&] {
            requantize.prepare(parameter(loops.inputs[1]), loops.inputs[3].name + "[0]", parameter(loops.inputs[2]),
                               loops.inputs[4].name + "[0]");
        });
    requantize.apply("q", data.name + "[i]");
    store_clipped(code, output, "i", "q");
    for (int i = 0; i < depth + 1; ++i) code.close();
    return Nothing();
}

Status quantized_binary_in_c(const CLoops& loops, QuantizedBinary which) {
    for (size_t i = 2; i < 6; ++i)
        if (count_of(loops.inputs[i]) != 1)
            return error(loops.attributes.op().name + " with scales for each channel can't be written in C");
    const CTensor& output = loops.outputs[0];
    bool multiply = which == QuantizedBinary::Multiply;
    CWriter code(loops.code, loops.indent);
    code.open("");
    std::string zero = loops.inputs[7].name + "[0]", scale = loops.inputs[6].name + "[0]";
    RequantizeInC sides[] = {RequantizeInC(code, "_l"), RequantizeInC(code, "_r")};
    RequantizeInC result(code, "_p");
    if (multiply) {
        result.prepare(loops.inputs[2].name + "[0] * " + loops.inputs[4].name + "[0]", scale, "0", zero);
    } else {
        for (size_t side : {0, 1})
            sides[side].prepare(loops.inputs[2 + 2 * side].name + "[0]", scale, loops.inputs[3 + 2 * side].name + "[0]",
                                zero);
    }
    std::string places[3];
    std::vector<int64_t> steps = row_major_strides(output.shape);
    for (size_t d = 0; d < output.shape.size(); ++d) {
        std::string i = "i" + std::to_string(d);
        code.open_loop(i, output.shape[d]);
        places[2] += (places[2].empty() ? "" : " + ") + i + " * " + number(steps[d]);
    }
    for (size_t side : {0, 1}) {
        std::span<const int64_t> shape = loops.inputs[side].shape;
        std::vector<int64_t> own = row_major_strides(shape);
        size_t skipped = output.shape.size() - shape.size();
        for (size_t d = 0; d < shape.size(); ++d)
            if (shape[d] != 1)
                places[side] +=
                    (places[side].empty() ? "i" : " + i") + std::to_string(d + skipped) + " * " + number(own[d]);
    }
    for (std::string& place : places)
        if (place.empty()) place = "0";
    const char* names[] = {"a", "b"};
    for (size_t side : {0, 1}) {
        std::string element = loops.inputs[side].name + "[" + places[side] + "]";
        if (multiply)
            code.line("const uint32_t " + std::string(names[side]) + " = (uint32_t)" + element + " - (uint32_t)" +
                      loops.inputs[3 + 2 * side].name + "[0];");
        else sides[side].apply(names[side], element);
    }
    if (multiply) {
        result.apply("q", "(a * b)");
    } else {
        bool subtract = which == QuantizedBinary::Subtract;
        // Both operands include the output's zero point.
        code.line("const int32_t q = (int32_t)((uint32_t)a " +
                  std::string(subtract ? "- (uint32_t)b + " : "+ (uint32_t)b - ") + "(uint32_t)" + zero + ");");
    }
    store_clipped(code, output, places[2], "q");
    for (size_t d = 0; d < output.shape.size() + 1; ++d) code.close();
    return Nothing();
}

Status quantized_concatenate_in_c(const CLoops& loops) {
    const CTensor& output = loops.outputs[0];
    size_t count = (loops.inputs.size() - 2) / 3;
    auto axis = checked_axis(loops.attributes.integer("axis"), output.shape.size());
    if (!axis) return axis.error();
    int64_t outer = 1, inner = 1, before = 0;
    for (size_t d = 0; d < size_t(*axis); ++d) outer *= output.shape[d];
    for (size_t d = size_t(*axis) + 1; d < output.shape.size(); ++d) inner *= output.shape[d];
    CWriter code(loops.code, loops.indent);
    for (size_t k = 0; k < count; ++k) {
        int64_t run = loops.inputs[k].shape[size_t(*axis)] * inner;
        code.open("");
        RequantizeInC requantize(code);
        requantize.prepare(loops.inputs[count + k].name + "[0]", loops.inputs[3 * count].name + "[0]",
                           loops.inputs[2 * count + k].name + "[0]", loops.inputs[3 * count + 1].name + "[0]");
        code.open_loop("o", outer);
        code.open_loop("i", run);
        requantize.apply("q", loops.inputs[k].name + "[o * " + number(run) + " + i]");
        store_clipped(code, output,
                      "o * " + number(output.shape[size_t(*axis)] * inner) + " + " + number(before) + " + i", "q");
        for (int depth = 0; depth < 3; ++depth) code.close();
        before += run;
    }
    return Nothing();
}

namespace {

Status check_product(const CLoops& loops) {
    const std::string& name = loops.attributes.op().name;
    if (count_of(loops.inputs[3]) != 1) return error(name + " with zero points for each channel can't be written in C");
    if (loops.outputs[0].dtype.bits > 32) return error(name + " with sums of 64 bits can't be written in C");
    return Nothing();
}

CZeroPoints zero_points_of(const CLoops& loops) {
    return {"(uint32_t)" + loops.inputs[2].name + "[0]", "(uint32_t)" + loops.inputs[3].name + "[0]"};
}

}  // namespace

Status quantized_conv2d_in_c(const CLoops& loops) {
    if (Status fit = check_product(loops); !fit) return fit;
    return write_convolution_in_c(loops, 2, zero_points_of(loops));
}

Status quantized_dense_in_c(const CLoops& loops) {
    if (Status fit = check_product(loops); !fit) return fit;
    return write_dense_in_c(loops, zero_points_of(loops));
}

}  // namespace partita
