// The product of a matrix with constant weights that were packed once, and what follows it: bias, activation and
// residual sum are applied to each piece of the result while it is in the cache.
#pragma once

#include <cstdint>

#include "engine/ops/product_steps.h"
#include "engine/ops/tile_kernels.h"

namespace partita {

/// Returns the number of elements that `depth` x `columns` weights take when packed.
int64_t packed_weight_elements(int64_t depth, int64_t columns);

/// Element (k, j) of the weights is at weights[k * row_stride + j * column_stride]; column j is multiplied by scale[j]
/// if there is a scale. `packed` is aligned to 64 bytes.
void pack_weights(const float* weights, int64_t row_stride, int64_t column_stride, int64_t depth, int64_t columns,
                  const float* scale, float* packed, const ParallelLoop& parallel);

struct PackedProduct {
    int64_t rows, depth;
    const float* first;  ///< rows x depth, row-major
    const float* packed;
    ProductResult result;
};

void multiply_packed(const PackedProduct& product, const ParallelLoop& parallel);

}  // namespace partita
