#include "engine/ops/quantization.h"

#include <cmath>

#include "engine/ops/element_types.h"
#include "engine/support/number_text.h"

namespace partita {

Quantization Quantization::read(const TensorView& scales, const TensorView& zero_points) {
    const float* first_scale = scales.as<float>();
    const int32_t* first_zero = zero_points.as<int32_t>();
    Quantization quantization;
    quantization.scales.assign(first_scale, first_scale + scales.size());
    quantization.zero_points.assign(first_zero, first_zero + zero_points.size());
    return quantization;
}

FixedPoint to_fixed_point(double factor) {
    if (factor == 0) return {};
    FixedPoint fixed;
    double significand = std::frexp(factor, &fixed.shift);
    int64_t multiplier = int64_t(std::round(significand * double(int64_t(1) << 31)));
    if (multiplier == int64_t(1) << 31) {
        multiplier /= 2;
        ++fixed.shift;
    }
    fixed.multiplier = int32_t(multiplier);
    return fixed;
}

Result<Requantizer> Requantizer::make(const Quantization& from, float to_scale, int32_t to_zero_point,
                                      const std::string& rounding, const std::string& compute) {
    Requantizer requantizer;
    if (rounding != "None" && rounding != "UPWARD" && rounding != "TONEAREST" && rounding != "TOEVEN")
        return error("rounding must be \"UPWARD\", \"TONEAREST\" or \"TOEVEN\", not \"" + rounding + "\"");
    if (compute != "None" && compute != "int64" && compute != "float32" && compute != "float64")
        return error("compute_dtype must be \"int64\", \"float32\" or \"float64\", not \"" + compute + "\"");
    requantizer.rounding_ = rounding == "TONEAREST" ? Rounding::ToNearest
                            : rounding == "TOEVEN"  ? Rounding::ToEven
                                                    : Rounding::Upward;
    requantizer.in_double_ = compute == "float64";
    requantizer.in_floating_point_ = compute == "float32" || compute == "float64";
    if (rounding == "TOEVEN" && !requantizer.in_floating_point_)
        return error("rounding \"TOEVEN\" needs a compute_dtype of \"float32\" or \"float64\"");
    requantizer.to_zero_point_ = to_zero_point;
    for (size_t i = 0; i < from.channels(); ++i) {
        Channel channel;
        channel.zero_point = from.zero_point(i);
        channel.factor = double(from.scale(i)) / double(to_scale);
        channel.same_scale = from.scale(i) == to_scale;
        if (!std::isfinite(channel.factor) || channel.factor < 0)
            return error("the scales " + general_text(from.scale(i)) + " and " + general_text(to_scale) +
                         " give no factor to requantize with");
        channel.fixed = to_fixed_point(channel.factor);
        requantizer.channels_.push_back(channel);
    }
    return requantizer;
}

int32_t Requantizer::scaled(int32_t number, const Channel& how) const {
    constexpr int kMostShift = 31;
    int left = how.fixed.shift > 0 ? std::min(how.fixed.shift, kMostShift) : 0;
    int right = 31 + (how.fixed.shift > 0 ? 0 : -how.fixed.shift);
    // Such a factor turns every 32-bit number into zero.
    if (right > 62) return 0;
    int64_t product = int64_t((uint64_t(int64_t(number)) << left) * uint64_t(int64_t(how.fixed.multiplier)));
    uint64_t half = uint64_t(1) << (right - 1);
    if (rounding_ == Rounding::ToNearest && product < 0) --half;
    return int32_t(int64_t(uint64_t(product) + half) >> right);
}

int32_t Requantizer::scaled_in_floating_point(int32_t number, const Channel& how) const {
    double value;
    if (in_double_) value = (how.same_scale ? double(number) : how.factor * double(number)) + double(to_zero_point_);
    else value = double((how.same_scale ? float(number) : float(how.factor) * float(number)) + float(to_zero_point_));
    if (rounding_ == Rounding::ToNearest) return saturate<int32_t>(std::round(value));
    if (rounding_ == Rounding::ToEven) return saturate<int32_t>(std::nearbyint(value));
    return saturate<int32_t>(std::floor(in_double_ ? value + 0.5 : double(float(value) + 0.5f)));
}

IntegerRange range_of(DataType dtype) {
    bool is_unsigned = dtype.code == DataType::Code::UInt;
    int64_t highest = (int64_t(1) << (dtype.bits - (is_unsigned ? 0 : 1))) - 1;
    return {int32_t(is_unsigned ? 0 : -highest - 1), int32_t(std::min<int64_t>(highest, INT32_MAX))};
}

ChannelShape channel_shape(std::span<const int64_t> shape, int64_t axis, size_t channels) {
    if (channels == 1) return {};
    if (axis < 0) axis += int64_t(shape.size());
    ChannelShape result{int64_t(channels), 1};
    for (size_t i = size_t(axis) + 1; i < shape.size(); ++i) result.inner *= shape[i];
    return result;
}

}  // namespace partita
