// What is done to the result of a matrix product piece by piece, while a piece is in the cache: bias, activation,
// residual sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace partita {

/// What is done to an element x of the product.
struct ProductStep {
    enum class Kind : uint8_t {
        Bias,    ///< plus operand[column]
        Sum,     ///< plus operand[row * columns + column]
        Relu,    ///< negative ones times alpha
        Linear,  ///< alpha * x + beta
        Clip,    ///< to [alpha, beta]
        Sigmoid,
        Swish,      ///< x * sigmoid(alpha * x)
        HardSwish,  ///< x * clip(x / 6 + 1 / 2, 0, 1)
        Gelu,       ///< x * (1 + erf(x / sqrt(2))) / 2
        GeluTanh,   ///< x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2
    };
    Kind kind;
    float alpha = 0, beta = 0;
    size_t operand = 0;  ///< its number among those given
};

/// The result of a product, and what is done to it.
struct ProductResult {
    float* values;  ///< rows x columns, row-major; no operand's memory
    int64_t columns;
    std::span<const ProductStep> steps;
    std::span<const float* const> operands;
};

/// Does the steps to a part of the result that has its sums.
void finish_product(const ProductResult& result, int64_t row, int64_t rows, int64_t column, int64_t columns);

}  // namespace partita
