// Functions of one float for loops that the compiler vectorises: without branches or calls.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// For what is to be compiled for the vector unit of the function that calls it.
#define PARTITA_INLINED inline __attribute__((always_inline))

namespace partita {

/// exp(x) for x <= 0, within 2 units of the last place; 0 below the normal numbers. The polynomial is Cephes'.
PARTITA_INLINED float power_of(float x) {
    constexpr float kSmallest = -87.0F, kToNearest = 12582912.0F;  // 1.5 * 2^23
    const float bound = x < kSmallest ? kSmallest : x;             // NaN stays
    const float whole = (bound * 1.44269504F + kToNearest) - kToNearest;
    const float rest = (bound - whole * 0.693359375F) + whole * 2.12194440e-4F;
    float sum = 1.9875691500e-4F;
    sum = sum * rest + 1.3981999507e-3F;
    sum = sum * rest + 8.3334519073e-3F;
    sum = sum * rest + 4.1665795894e-2F;
    sum = sum * rest + 1.6666665459e-1F;
    sum = sum * rest + 5.0000001201e-1F;
    sum = sum * rest * rest + rest + 1;
    const float scale = std::bit_cast<float>((int32_t(whole) + 127) << 23);
    return x < kSmallest ? 0 : sum * scale;
}

/// 1 / (1 + exp(-x))
PARTITA_INLINED float sigmoid_of(float x) {
    const float power = power_of(-std::fabs(x)), small = power / (1 + power);
    return x < 0 ? small : 1 - small;
}

/// tanh(x), within 2 units of the last place. The polynomial for small x is Cephes'.
PARTITA_INLINED float hyperbolic_tangent_of(float x) {
    const float square = x * x, power = power_of(-2 * std::fabs(x));
    float sum = -5.70498872745e-3F;
    sum = sum * square + 2.06390887954e-2F;
    sum = sum * square - 5.37397155531e-2F;
    sum = sum * square + 1.33314422036e-1F;
    sum = sum * square - 3.33332819422e-1F;
    const float small = sum * square * x + x, large = std::copysign((1 - power) / (1 + power), x);
    return std::fabs(x) < 0.625F ? small : large;
}

/// The error function, within 1.5e-7. Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26.
PARTITA_INLINED float error_function_of(float x) {
    const float size = std::fabs(x), t = 1 / (1 + 0.3275911F * size);
    float sum = 1.061405429F;
    sum = sum * t - 1.453152027F;
    sum = sum * t + 1.421413741F;
    sum = sum * t - 0.284496736F;
    sum = sum * t + 0.254829592F;
    return std::copysign(1 - sum * t * power_of(-size * size), x);
}

}  // namespace partita
