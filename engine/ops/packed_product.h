// The product of a matrix with constant weights that were packed once, and what follows it: bias, activation and
// residual sum are applied to each piece of the result while it is in the cache.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ops/tile_kernels.h"

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
        Swish,  ///< x * sigmoid(alpha * x)
        Gelu,   ///< x * (1 + erf(x / sqrt(2))) / 2
    };
    Kind kind;
    float alpha = 0, beta = 0;
    size_t operand = 0;  ///< its number among those given
};

/// Returns the number of elements that `depth` x `columns` weights take when packed.
int64_t packed_weight_elements(int64_t depth, int64_t columns);

/// Element (k, j) of the weights is at weights[k * row_stride + j * column_stride]; column j is multiplied by scale[j]
/// if there is a scale. `packed` is aligned to 64 bytes.
void pack_weights(const float* weights, int64_t row_stride, int64_t column_stride, int64_t depth, int64_t columns,
                  const float* scale, float* packed);

struct PackedProduct {
    int64_t rows, depth, columns;
    const float* first;  ///< rows x depth, row-major
    const float* packed;
    float* result;  ///< rows x columns, row-major; no operand's memory
    std::span<const ProductStep> steps;
    std::span<const float* const> operands;
};

void multiply_packed(const PackedProduct& product, const ParallelLoop& parallel);

}  // namespace partita
