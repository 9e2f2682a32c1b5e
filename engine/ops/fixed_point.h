// Multiplication by a fixed-point number for quantized networks: x * multiplier / 2^31 * 2^shift, rounded half up.
// Source: TVM 0.9, tir.q_multiply_shift in src/target/intrin_rule.cc. Results of more than 32 bits wrap.
#pragma once

#include <cstdint>

namespace partita {

inline constexpr int kMaxFixedPointShift = 31;

/// `shift` lies between -kMaxFixedPointShift and kMaxFixedPointShift.
inline int32_t fixed_point_multiply(int32_t value, int32_t multiplier, int shift) {
    int left = shift > 0 ? shift : 0, right = 31 + (shift > 0 ? 0 : -shift);
    uint64_t product = (uint64_t(int64_t(value)) << left) * uint64_t(int64_t(multiplier));
    return int32_t(int64_t(product + (uint64_t(1) << (right - 1))) >> right);
}

}  // namespace partita
