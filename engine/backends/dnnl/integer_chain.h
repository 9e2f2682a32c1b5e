// The ops after a convolution or dense layer of 8-bit integers, computed by oneDNN on sums in float32: bias, relu,
// rounding shift, clip and the conversion to 8 bits, with exactly the integers that the ops give one by one.
//
// Integers below 2^24 are exact in float32. A shift right by n bits, floor(x / 2^n), becomes the rounding to the
// nearest integer at the end of oneDNN's chain: x / 2^n - 1/2 + 2^-(n+1) is strictly less than 1/2 from the integer
// that floor gives, so that no tie occurs, and is itself exact while |x| < 2^23.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <dnnl.hpp>

#include "engine/backends/dnnl/fusion.h"

namespace partita::onednn {

/// float32 holds every integer up to this one.
inline constexpr int64_t kExactInFloat = int64_t(1) << 24;

struct IntegerChain {
    std::vector<float> bias;  ///< for each channel; empty: none
    dnnl::post_ops post_ops;
};

class IntegerChainBuilder {
public:
    /// `largest_sums`: the maximum of the sum of products of each channel.
    explicit IntegerChainBuilder(std::vector<int64_t> largest_sums)
        : largest_(std::move(largest_sums)), bias_(largest_.size(), 0) {}

    // Each returns whether the result is still exact.
    /// One value, or one for each channel.
    bool add(std::vector<int64_t> values);
    bool relu();
    bool clip(double low, double high);
    bool shift_right(int64_t bits);
    /// Converts to a type of this range, to which a clip must have limited the values: oneDNN saturates, the op wraps.
    bool convert(double lowest, double highest);

    std::optional<IntegerChain> finish();

private:
    bool is_exact(int64_t limit) const;
    bool append(dnnl::algorithm algorithm, float alpha, float beta);
    bool append_offset();

    std::vector<int64_t> largest_, bias_;
    dnnl::post_ops post_ops_;
    double low_ = -1e300, high_ = 1e300;  ///< range after clips
    std::vector<dnnl::algorithm> used_;
    int64_t offset_ = 0;  ///< added, but not yet among the post-ops
    bool biased_ = false, shifted_ = false, converted_ = false;
};

}  // namespace partita::onednn
