// Convolutions of 3x3 weights by Winograd's minimal filtering: a tile of m x m results takes (m + 2)^2 multiplications
// for each pair of channels instead of 9 m^2. Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks",
// 2015.
//
// The data's tiles are transformed, each of the (m + 2)^2 positions in a tile is a product of matrices (tiles x
// channels, channels x channels), and the products are transformed back. All three are done for a block of tiles while
// it is in the cache.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ops/product_steps.h"
#include "engine/ops/tile_kernels.h"

namespace partita {

/// A convolution without strides, dilation or groups. Channels of data and result come in blocks: element (image,
/// channel, y, x) is at ((image * channels / block + channel / block) * height + y) * width + x) * block + channel %
/// block.
struct WinogradConvolution {
    int64_t tile = 2;   ///< results of a tile in each direction: 2 or 4
    int64_t block = 8;  ///< 8 or 16
    int64_t batch = 1;
    int64_t in_channels = 8, out_channels = 8;  ///< multiples of the block
    int64_t height = 1, width = 1;              ///< of the data
    int64_t pad_top = 0, pad_left = 0;
    int64_t out_height = 1, out_width = 1;

    int64_t positions() const { return (tile + 2) * (tile + 2); }
    /// Returns the number of tiles of all images.
    int64_t tiles() const;
    /// Returns the number of floats that the transformed weights take.
    int64_t weight_elements() const;
    /// Returns the number of floats that a run in so many parts at a time needs.
    int64_t workspace_elements(int64_t parts) const;
};

/// Element (out, in, y, x) of the weights is at ((out * in_channels + in) * 3 + y) * 3 + x. `transformed` is aligned to
/// 64 bytes.
void transform_winograd_weights(const WinogradConvolution& convolution, const float* weights, float* transformed,
                                const ParallelLoop& parallel);

/// Where a run finds its values; a bias has an element for each channel, what is added has the layout of the result.
struct WinogradRun {
    const float* data;
    const float* weights;  ///< transformed
    float* result;         ///< not the data's memory; what is added may be here
    std::span<const ProductStep> steps;
    std::span<const float* const> operands;
    float* workspace;
    int64_t parts;  ///< at most as many as the workspace was made for
};

/// Returns whether the machine has the vector instructions that runs take: AVX2.
bool winograd_runs_here();

void convolve_by_winograd(const WinogradConvolution& convolution, const WinogradRun& run, const ParallelLoop& parallel);

}  // namespace partita
