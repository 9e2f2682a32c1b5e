// A depthwise convolution in C: each plane of the data is copied once, padded and with the columns of equal remainder
// modulo the stride next to each other, so that each row of the result is one loop over all taps.
#pragma once

#include "engine/ops/convolution.h"
#include "engine/ops/convolution_c.h"

namespace partita {

/// Returns whether `geometry` is depthwise over planes in the common layouts, and its copy fits the stack.
bool fits_depthwise_planes(const ConvolutionGeometry& geometry);
/// `inputs` are data and weight, the weight in the shape of its layout.
void write_depthwise_by_planes(const CLoops& loops, const ConvolutionGeometry& geometry, const std::string& sum_type,
                               const CZeroPoints& zero_points);

}  // namespace partita
