#include "engine/frontends/litert/converter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace partita::litert {

namespace {

/// By ActivationFunctionType.
enum Activation : int64_t { kNone, kRelu, kReluN1To1, kRelu6, kTanh, kSignBit };

const std::unordered_map<std::string_view, ConverterEntry>& all_converters() {
    static const auto* table = [] {
        auto* made = new std::unordered_map<std::string_view, ConverterEntry>();
        for (const auto& list : {math_converters(), layer_converters(), shape_converters()})
            for (const ConverterEntry& entry : list) made->emplace(entry.kind, entry);
        return made;
    }();
    return *table;
}

ExprId float_vector(Builder& build, const std::vector<float>& values) {
    if (values.size() == 1) return build.real(double(values[0]), kFloat32);
    Tensor tensor(kFloat32, {int64_t(values.size())});
    std::copy(values.begin(), values.end(), tensor.data<float>());
    return build.constant(std::move(tensor));
}

/// The factor that LiteRT's kernels for 16-bit numbers have in 16 bits.
float factor_of_16_bits(double factor) {
    int shift;
    const int64_t bits = std::llround(std::frexp(factor, &shift) * 0x1p31);
    const int64_t reduced = bits < 0x7FFF0000 ? (bits + (1 << 15)) >> 16 : 0x7FFF;
    return float(std::ldexp(double(reduced), shift - 15));
}

void require_usable(const TensorInfo& info) {
    if (!info.quantization.details.empty())
        throw Fault{"its tensor " + std::string(info.name.substr(0, 100)) +
                        " is quantized in a way that is not known (" + std::string(info.quantization.details) + ")",
                    {}};
    for (float scale : info.quantization.scales)
        if (!std::isfinite(scale) || scale <= 0) throw Fault{"a scale is " + std::to_string(scale), {}};
    for (int64_t zero : info.quantization.zero_points)
        if (zero != int32_t(zero)) throw Fault{"a zero point is " + std::to_string(zero), {}};
}

/// Returns whether all quantized tensors of an operator are quantized alike.
bool all_alike(const NodeContext& n) {
    const TensorInfo* first = nullptr;
    const auto fits = [&](const TensorInfo& info) {
        if (!is_quantized(info)) return info.type != 0 || !first;
        if (!first) first = &info;
        return quantized_alike(*first, info);
    };
    for (size_t i = 0; i < n.input_count(); ++i)
        if (n.has(i) && !fits(n.input_info(i))) return false;
    for (size_t i = 0; i < n.output_count(); ++i)
        if (n.op().outputs[i] >= 0 && !fits(n.output_info(i))) return false;
    return true;
}

}  // namespace

bool is_quantized(const TensorInfo& info) {
    const bool small = info.type == 3 || info.type == 7 || info.type == 9 || info.type == 17 || info.type == 19;
    return small && (!info.quantization.scales.empty() || !info.quantization.details.empty());
}

bool quantized_alike(const TensorInfo& a, const TensorInfo& b) {
    return a.type == b.type && a.quantization.scales == b.quantization.scales &&
           a.quantization.zero_points == b.quantization.zero_points && a.quantization.details.empty() &&
           b.quantization.details.empty();
}

ExprId NodeContext::input(size_t index) const {
    if (!has(index)) throw Fault{"its input " + std::to_string(index) + " is missing", {}};
    return inputs_[index];
}

const TensorInfo& NodeContext::input_info(size_t index) const {
    input(index);
    return subgraph_.tensors[size_t(op_.inputs[index])];
}

const TensorInfo& NodeContext::output_info(size_t index) const {
    if (index >= op_.outputs.size() || op_.outputs[index] < 0)
        throw Fault{"its output " + std::to_string(index) + " is missing", {}};
    return subgraph_.tensors[size_t(op_.outputs[index])];
}

bool NodeContext::quantized_input(size_t index) const { return has(index) && is_quantized(input_info(index)); }
bool NodeContext::quantized_output(size_t index) const { return is_quantized(output_info(index)); }

Integers NodeContext::known(size_t index) const {
    constexpr int64_t kMost = 1 << 20;
    const Tensor* value = build.value(input(index));
    if (!value || value->size() > kMost)
        throw Fault{"its input " + std::to_string(index) + " is not a constant, and decides the shape of the result",
                    {}};
    Integers numbers;
    for (int64_t i = 0; i < value->size(); ++i)
        numbers.push_back(value->dtype() == kInt64 ? value->data<int64_t>()[i] : int64_t(value->at(i)));
    return numbers;
}

int64_t NodeContext::known_one(size_t index) const {
    const Integers numbers = known(index);
    if (numbers.size() != 1) throw Fault{"its input " + std::to_string(index) + " must be one number", {}};
    return numbers[0];
}

const Option* NodeContext::find(std::string_view name) const {
    for (const Option& option : op_.options.list)
        if (option.name == name) return &option;
    return nullptr;
}

int64_t NodeContext::integer(std::string_view name) const {
    if (padding_ >= 0 && name == "padding") return padding_;
    const Option* option = find(name);
    if (option && option->integers.size() == 1) return option->integers[0];
    if (op_.options.given && !op_.options.name.empty())
        throw Fault{"its options are " + std::string(op_.options.name) + "'s, without " + std::string(name), {}};
    return 0;
}

double NodeContext::real(std::string_view name) const {
    const Option* option = find(name);
    if (option && option->reals.size() == 1) return option->reals[0];
    throw Fault{"its options lack " + std::string(name), {}};
}

Integers NodeContext::integers(std::string_view name) const {
    const Option* option = find(name);
    return option ? Integers(option->integers.begin(), option->integers.end()) : Integers();
}

int64_t NodeContext::axis(int64_t value, int64_t rank) const {
    if (value < -rank || value >= rank)
        throw Fault{"the axis " + std::to_string(value) + " lies outside of " + std::to_string(rank) + " dimensions",
                    {}};
    return value < 0 ? value + rank : value;
}

ExprId NodeContext::scale(const TensorInfo& info) const {
    require_usable(info);
    return float_vector(build, info.quantization.scales);
}

ExprId NodeContext::zero_point(const TensorInfo& info) const {
    require_usable(info);
    const std::vector<int64_t>& zeros = info.quantization.zero_points;
    return zeros.size() == 1 ? build.constant(zeros[0], kInt32) : build.integers(zeros, kInt32);
}

ExprId NodeContext::dequantized(ExprId value, const TensorInfo& info) const {
    if (build.dtype(value).is_narrow_integer()) value = build.cast(value, kInt8);
    return build.call("qnn.dequantize", {value, scale(info), zero_point(info)}, {{"axis", info.quantization.axis}});
}

ExprId NodeContext::quantized(ExprId value, const TensorInfo& info) const {
    return build.call("qnn.quantize", {value, scale(info), zero_point(info)},
                      {{"out_dtype", data_type(info.type)}, {"axis", info.quantization.axis}});
}

std::vector<double> NodeContext::factors(const TensorInfo& x, const TensorInfo& weights,
                                         const TensorInfo& result) const {
    for (const TensorInfo* info : {&x, &weights, &result}) require_usable(*info);
    if (x.quantization.scales.size() != 1 || result.quantization.scales.size() != 1)
        throw Fault{"its input or its result has a scale for each channel", {}};
    std::vector<double> made;
    const float from = x.quantization.scales[0], to = result.quantization.scales[0];
    const bool wide = data_type(result.type) == kInt16;  // XNNPACK, which takes those of 8 bits, reckons in floats
    for (float scale : weights.quantization.scales)
        made.push_back(wide ? double(from) * double(scale) / double(to) : double(from * scale / to));
    return made;
}

ExprId NodeContext::requantized(ExprId sums, const std::vector<double>& factors, int axis, bool with_16_bits) const {
    const TensorInfo& result = output_info(0);
    std::vector<float> scales;
    for (double factor : factors) scales.push_back(with_16_bits ? factor_of_16_bits(factor) : float(factor));
    const bool wide = data_type(result.type) == kInt16;
    if (wide && result.quantization.zero_points[0] != 0) throw Fault{"16-bit numbers have a zero point", {}};
    const std::vector<int64_t> zeros(scales.size());
    const ExprId none = zeros.size() == 1 ? build.constant(0, kInt32) : build.integers(zeros, kInt32);
    // The zero point is added to the rounded number: before, it would take bits from a float.
    const ExprId rounded = build.call(
        "qnn.requantize", {sums, float_vector(build, scales), none, build.real(1, kFloat32), build.constant(0, kInt32)},
        {{"axis", axis},
         {"rounding", with_16_bits ? "UPWARD"
                      : wide       ? "TONEAREST"
                                   : "TOEVEN"},
         {"compute_dtype", wide ? "float64" : "float32"},
         {"out_dtype", wide ? kInt16 : kInt32}});
    return wide ? rounded : moved_to_zero_point(rounded, result);
}

ExprId NodeContext::moved_to_zero_point(ExprId numbers, const TensorInfo& result) const {
    const DataType dtype = data_type(result.type);
    const double lowest = dtype == kUInt8 ? 0 : dtype == kInt16 ? -32768 : -128;
    const ExprId moved = result.quantization.zero_points[0] == 0 ? numbers : build.add(numbers, zero_point(result));
    return build.cast(clipped(moved, lowest, lowest + (dtype == kInt16 ? 65535 : 255)), dtype);
}

ExprId NodeContext::clipped(ExprId value, double lowest, double highest) const {
    return build.call("clip", {value}, {{"a_min", lowest}, {"a_max", highest}});
}

ExprId NodeContext::activated(ExprId value, const TensorInfo* info) const {
    const Option* option = find("fused_activation_function");
    const int64_t kind = option && option->integers.size() == 1 ? option->integers[0] : kNone;
    if (kind == kNone) return value;
    if (!info && kind == kRelu) return build.call("nn.relu", {value});
    if (!info && kind == kTanh) {
        warn("LiteRT's kernels for the CPU leave the fused TANH out; here it is computed");
        return build.call("tanh", {value});
    }
    double lowest = kind == kReluN1To1 ? -1 : 0, highest = kind == kRelu6 ? 6 : 1;
    if (kind != kRelu && kind != kRelu6 && kind != kReluN1To1) throw Fault{"its fused activation is not known", {}};
    if (!info) return clipped(value, lowest, highest);
    const DataType dtype = data_type(info->type);
    const double scale = double(info->quantization.scales.at(0)), zero = double(info->quantization.zero_points.at(0));
    const double least = dtype == kUInt8   ? 0
                         : dtype == kInt16 ? -32768
                                           : -128,
                 most = least + (dtype == kInt16 ? 65535 : 255);
    lowest = std::max(least, std::round(lowest / scale) + zero);
    highest = kind == kRelu ? most : std::min(most, std::round(highest / scale) + zero);
    return clipped(value, lowest, highest);
}

Exprs convert(NodeContext& n) {
    const auto found = all_converters().find(n.op().kind);
    if (found == all_converters().end() || n.op().custom != (found->second.kind == "Convolution2DTransposeBias"))
        throw Fault{n.op().custom ? "it is a custom operator" : "Partita has no operator for it yet", {}};
    const ConverterEntry& entry = found->second;
    if (entry.in_bytes)
        if (Exprs made = entry.in_bytes(n); !made.empty()) return made;
    if (entry.numbers == Numbers::Raw) return entry.convert(n);
    const bool as_they_are = entry.numbers == Numbers::Moved && all_alike(n);
    for (size_t i = 0; !as_they_are && i < n.input_count(); ++i)
        if (n.quantized_input(i)) n.set_input(i, n.dequantized(n.input(i), n.input_info(i)));
    Exprs results = entry.convert(n);
    for (size_t i = 0; i < results.size() && i < n.output_count(); ++i) {
        if (n.op().outputs[i] < 0 || !results[i].valid()) continue;
        const bool quantized = n.quantized_output(i);
        results[i] = n.activated(results[i], as_they_are && quantized ? &n.output_info(i) : nullptr);
        if (!as_they_are && quantized) results[i] = n.quantized(results[i], n.output_info(i));
    }
    return results;
}

}  // namespace partita::litert
