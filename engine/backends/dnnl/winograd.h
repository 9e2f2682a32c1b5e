// Chooses the convolutions for Winograd's minimal filtering. The choice is estimated beforehand so that it, and with it
// each bit of the result, is the same in every run.
//
// A tile of m x m results of a 3x3 convolution takes (m+2)^2 multiplications for each pair of channels instead of 9
// m^2, at the price of transforms and of weights that take (m+2)^2 / 9 times the memory. Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks", 2015. The kernels are the program's own
// (engine/ops/winograd_convolution.h): oneDNN 2.6 has some for AVX-512 alone, which take a third longer.
//
// Measured against sums in double precision, errors are twice a direct convolution's (m = 4; the largest error two to
// three times) and 0.7 times (m = 2), for any number of channels.
#pragma once

#include <vector>

#include "engine/ops/convolution.h"

namespace partita::onednn {

/// The number of results of a tile in each direction; 1: a direct convolution.
using WinogradTile = int;

/// Returns the number of channels with those that fill up the last block.
int64_t filled_channels(int64_t channels);

/// Returns the methods for a float32 convolution of known weights that are expected to pay off, the fastest first. The
/// last one is 1.
std::vector<WinogradTile> convolution_methods(const ConvolutionGeometry& geometry);

/// Returns the work of the own kernel, as the number of multiplications that are expected to take as long.
double winograd_work(const ConvolutionGeometry& geometry, WinogradTile tile);

}  // namespace partita::onednn
