// Arithmetic on quantized tensors: real = scale * (number - zero point). Source: TVM 0.9, src/relay/qnn/utils.cc and
// src/relay/qnn/op/requantize.cc, the result of its canonicalization.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

/// The scales and zero points of a tensor: one, or one for each slice along an axis.
struct Quantization {
    std::vector<float> scales;
    std::vector<int32_t> zero_points;

    static Quantization read(const TensorView& scales, const TensorView& zero_points);
    size_t channels() const { return scales.size() > zero_points.size() ? scales.size() : zero_points.size(); }
    float scale(size_t channel) const { return scales[scales.size() == 1 ? 0 : channel]; }
    int32_t zero_point(size_t channel) const { return zero_points[zero_points.size() == 1 ? 0 : channel]; }
};

/// A positive factor as multiplier / 2^31 * 2^shift with a multiplier of 31 bits.
struct FixedPoint {
    int32_t multiplier = 0;
    int shift = 0;
};
FixedPoint to_fixed_point(double factor);

enum class Rounding : uint8_t {
    Upward,     ///< halves up
    ToNearest,  ///< halves away from zero
    ToEven,     ///< halves to even; in floating point only. Not Relay's, but LiteRT's: XNNPACK rounds so
};

/// Converts numbers from one quantization to another, in 32 bits and without clipping.
class Requantizer {
public:
    /// `compute` is "int64", "float32" or "float64"; "None" is int64, `rounding` "None" is UPWARD, TVM's defaults.
    static Result<Requantizer> make(const Quantization& from, float to_scale, int32_t to_zero_point,
                                    const std::string& rounding, const std::string& compute);
    size_t channels() const { return channels_.size(); }
    int32_t operator()(int32_t number, size_t channel) const {
        const Channel& how = channels_[channel];
        int32_t centered = int32_t(uint32_t(number) - uint32_t(how.zero_point));
        if (!in_floating_point_)
            return int32_t(uint32_t(how.same_scale ? centered : scaled(centered, how)) + uint32_t(to_zero_point_));
        return scaled_in_floating_point(centered, how);
    }

private:
    struct Channel {
        int32_t zero_point = 0;
        FixedPoint fixed;
        double factor = 1;
        bool same_scale = false;
    };
    int32_t scaled(int32_t number, const Channel& how) const;
    int32_t scaled_in_floating_point(int32_t number, const Channel& how) const;

    std::vector<Channel> channels_;
    int32_t to_zero_point_ = 0;
    Rounding rounding_ = Rounding::Upward;
    bool in_floating_point_ = false, in_double_ = false;
};

/// The lowest and highest number of an integer type of at most 32 bits.
struct IntegerRange {
    int32_t lowest = 0, highest = 0;
};
IntegerRange range_of(DataType dtype);

/// The division of a tensor into slices along an axis: element i is in channel i / inner % channels.
struct ChannelShape {
    int64_t channels = 1, inner = 1;
    size_t channel_of(int64_t element) const { return size_t(element / inner % channels); }
};
/// Returns one channel if the quantization has one.
ChannelShape channel_shape(std::span<const int64_t> shape, int64_t axis, size_t channels);

}  // namespace partita
