#include "engine/ir/narrow_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace partita {

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Bits of a format with a sign. Numbers below 2^(1 - bias) are multiples of its last place.
struct Format {
    int mantissa_bits, bias, largest_code;  ///< the largest code of a finite positive number
    enum class Special : uint8_t { None, NaN, Infinity } after_largest;  ///< what the next code is
    bool negative_zero_is_nan = false;
};

Format format_of(DataType dtype) {
    using enum DataType::Code;
    using enum Format::Special;
    switch (dtype.code) {
        case Float8E4M3FN: return {3, 7, 0x7e, NaN};
        case Float8E4M3FNUZ: return {3, 8, 0x7f, None, true};
        case Float8E5M2: return {2, 15, 0x7b, Infinity};
        case Float8E5M2FNUZ: return {2, 16, 0x7f, None, true};
        default: return {1, 1, 0x07, None};  // float4_e2m1fn
    }
}

int sign_bit(DataType dtype) { return 1 << (dtype.bits - 1); }

float decode(DataType dtype, int code) {
    if (dtype == kFloat8E8M0FNU) return code == 0xff ? kNaN : float(std::ldexp(1.0, code - 127));
    const Format format = format_of(dtype);
    const int magnitude = code & (sign_bit(dtype) - 1);
    const bool negative = code & sign_bit(dtype);
    if (format.negative_zero_is_nan && negative && magnitude == 0) return kNaN;
    if (magnitude > format.largest_code) {
        if (format.after_largest != Format::Special::Infinity || magnitude > format.largest_code + 1) return kNaN;
        return negative ? -INFINITY : INFINITY;
    }
    const int exponent = magnitude >> format.mantissa_bits, mantissa = magnitude & ((1 << format.mantissa_bits) - 1);
    const int implied = exponent ? 1 << format.mantissa_bits : 0;
    const double value = std::ldexp(implied + mantissa, std::max(exponent, 1) - format.bias - format.mantissa_bits);
    return float(negative ? -value : value);
}

using Values = std::array<float, 256>;

const Values& values_of(DataType dtype) {
    static const auto tables = [] {
        std::array<Values, 18> made{};
        for (DataType type :
             {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ, kFloat8E8M0FNU, kFloat4E2M1FN})
            for (int code = 0; code < 256; ++code)
                made[size_t(type.code)][size_t(code)] = decode(type, code & ((1 << type.bits) - 1));
        return made;
    }();
    return tables[size_t(dtype.code)];
}

uint8_t power_of_two_at_least(double value) {
    if (!(value >= 0)) return 0xff;
    const Values& values = values_of(kFloat8E8M0FNU);
    return uint8_t(std::lower_bound(values.begin(), values.begin() + 254, value) - values.begin());
}

}  // namespace

bool has_numbers(DataType dtype) {
    if (dtype.lanes != 1) return false;
    if (dtype.is_narrow_float()) return true;
    if (dtype.code == DataType::Code::BFloat) return dtype.bits == 16;
    if (dtype.is_float()) return dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    return dtype.is_integer() && dtype.bits <= 64 && (dtype.bits & (dtype.bits - 1)) == 0;
}

float narrow_to_float(DataType dtype, uint8_t code) { return values_of(dtype)[code]; }

uint8_t float_to_narrow(DataType dtype, double value) {
    if (dtype == kFloat8E8M0FNU) return power_of_two_at_least(value);
    const Format format = format_of(dtype);
    const uint8_t negative = std::signbit(value) ? uint8_t(sign_bit(dtype)) : 0;
    if (std::isnan(value)) {
        if (format.negative_zero_is_nan) return uint8_t(sign_bit(dtype));
        if (format.after_largest == Format::Special::None) return 0;
        return negative | uint8_t(sign_bit(dtype) - 1);
    }
    // The codes of positive numbers are in their order, and that of an even mantissa is even.
    const Values& values = values_of(dtype);
    const double magnitude = std::fabs(value);
    int code = int(std::lower_bound(values.begin(), values.begin() + format.largest_code, magnitude) - values.begin());
    if (code > 0 && magnitude < values[size_t(code)]) {
        const double below = magnitude - values[size_t(code - 1)], above = values[size_t(code)] - magnitude;
        if (below < above || (below == above && code % 2 == 1)) --code;
    }
    if (code == 0 && format.negative_zero_is_nan) return 0;
    return uint8_t(code) | negative;
}

int8_t wrapped_to_narrow(DataType dtype, int64_t value) {
    const int64_t range = int64_t(1) << dtype.bits, low = value & (range - 1);
    return int8_t(dtype.code == DataType::Code::Int && low >= range / 2 ? low - range : low);
}

}  // namespace partita
