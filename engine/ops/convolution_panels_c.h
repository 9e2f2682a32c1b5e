// A convolution in C as products of weights with panels: for a tile of the result's positions, the data that each tap
// reads are gathered once and used for all output channels.
#pragma once

#include "engine/ops/convolution.h"
#include "engine/ops/convolution_c.h"

namespace partita {

/// Returns whether the layouts and the number of output channels of `geometry` are suitable.
bool fits_panels(const ConvolutionGeometry& geometry);
/// `inputs` are data and weight, the weight in the shape of its layout.
void write_convolution_by_panels(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                                 const CZeroPoints& zero_points);

}  // namespace partita
