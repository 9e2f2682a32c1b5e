// Convolution of dense row-major tensors in plain layouts: the arithmetic of nn.conv1d/2d/3d and their transposed
// forms.
//
// Depthwise convolution runs tap by tap over padded planes; everything else is a product of the weight with the matrix
// of the windows, which is gathered panel by panel (see gemm.h) and never in memory as a whole.
#pragma once

#include "engine/ops/convolution.h"

namespace partita {

/// data: (batch, in_channels, depth, height, width); weight: (out_channels, in_channels / groups, kernel...);
/// result: (batch, out_channels, output...). A transposed convolution is given as a plain one (see `plain_equivalent`)
/// whose data are spread out by `spread`.
struct PlainConvolution {
    int64_t batch = 1, groups = 1, in_channels = 1, out_channels = 1;
    Extents input{1, 1, 1};
    Extents output{1, 1, 1};
    Extents kernel{1, 1, 1};
    Extents stride{1, 1, 1};
    Extents dilation{1, 1, 1};
    Extents offset{0, 0, 0};  ///< start of the first window: minus the padding before
    Extents spread{1, 1, 1};  ///< distance between the data's elements, with zeros between them

    int64_t input_plane() const { return input[0] * input[1] * input[2]; }
    int64_t output_plane() const { return output[0] * output[1] * output[2]; }
    int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
};

/// Returns the parameters of `convolve` for a geometry. For a transposed one, `weight` must first be converted with
/// `flip_transposed_weight`.
PlainConvolution plain_equivalent(const ConvolutionGeometry& geometry);

/// Converts (in_channels, out_channels / groups, kernel...) to (out_channels, in_channels / groups, reversed
/// kernel...).
template <class T>
void flip_transposed_weight(const ConvolutionGeometry& geometry, const T* weight, T* flipped);

/// T is float, double, uint32_t or uint64_t (which wrap).
template <class T>
void convolve(const PlainConvolution& plain, const T* data, const T* weight, T* result, ThreadPool& threads);

}  // namespace partita
