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
    /// If not 0, columns of the result come in blocks of as many as a vector has, rows x columns each; from one to the
    /// next it is so far. Steps may not be sums with a tensor then.
    int64_t block_stride = 0;
    bool add = false;  ///< to the result's elements, before any step
};

/// Returns the columns of a block.
int64_t product_block();

void multiply_packed(const PackedProduct& product, const ParallelLoop& parallel);

}  // namespace partita
