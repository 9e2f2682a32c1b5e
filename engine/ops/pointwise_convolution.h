// Convolutions in groups whose windows are single elements, of plain float32 images: for each image and group the
// product of its weights with its planes, and what follows it, while a piece is in the cache.
#pragma once

#include <cstdint>

#include "engine/ops/product_steps.h"
#include "engine/ops/tile_kernels.h"

namespace partita {

struct PointwiseConvolution {
    int64_t batch, groups;
    int64_t given, made;  ///< channels of a group
    int64_t plane;        ///< elements of a plane
    bool bias;            ///< of each channel that is made

    int64_t weight_row() const { return given + (bias ? 1 : 0); }
    double multiplications() const { return double(batch * groups) * double(given * made) * double(plane); }
};

/// data: batch x groups x given x plane. weights: groups x made x weight_row(), the channel's bias last. The result has
/// batch * groups * made rows, and a plane's elements as columns; its steps add no bias.
void convolve_pointwise(const PointwiseConvolution& convolution, const float* data, const float* weights,
                        const ProductResult& result, const ParallelLoop& parallel);

}  // namespace partita
