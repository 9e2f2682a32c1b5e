// A convolution in C as products of weights with panels: for a tile of the result's positions, what each tap sees of
// the data is gathered once and serves all output channels.
#pragma once

#include "engine/ops/convolution.h"
#include "engine/ops/convolution_c.h"

namespace partita {

/// Whether `geometry` has the layouts and the number of output channels for it.
bool fits_panels(const ConvolutionGeometry& geometry);
/// `inputs` are data and weight, the weight in the shape of its layout.
void write_convolution_by_panels(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                                 const CZeroPoints& zero_points);

}  // namespace partita
