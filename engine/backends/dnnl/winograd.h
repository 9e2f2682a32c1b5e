// Which convolutions are worth computing by Winograd's minimal filtering, estimated beforehand so that the choice, and
// with it each bit of the result, is the same in every run.
//
// A tile of m x m results of a 3x3 convolution takes (m+2)^2 multiplications for each pair of channels instead of
// 9 m^2, at the price of transforms and of weights that take (m+2)^2 / 9 times the memory. Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks", 2015. oneDNN 2.6 has m = 2 and m = 4. Measured against sums in double
// precision, its results are off by 2e-7 (m = 4) and 1e-7 (m = 2) of the largest one, root mean square; direct
// convolutions by 0.5e-7 to 2e-7.
#pragma once

#include <vector>

#include "engine/ops/convolution.h"

namespace partita::onednn {

/// How many results a tile has in each direction; 1: a direct convolution.
using WinogradTile = int;

/// The ways to compute a float32 convolution of known weights that are expected to pay, the fastest first. The last one
/// is 1.
std::vector<WinogradTile> convolution_methods(const ConvolutionGeometry& geometry);

}  // namespace partita::onednn
