// nn.conv1d, nn.conv2d and nn.conv3d, plain and transposed, as loops in C.
#pragma once

#include <string>

#include "engine/ops/op.h"

namespace partita {

/// Zero points to subtract from each element before products of quantized tensors are computed; empty: none.
struct CZeroPoints {
    std::string data, weight;  ///< C expressions
};

/// `rank` is the number of spatial axes. Refuses blocked layouts and types without a C name.
Status write_convolution_in_c(const CLoops& loops, size_t rank, const CZeroPoints& zero_points = {});
/// Each result sums the products that reach it. Refuses the same.
Status write_transposed_convolution_in_c(const CLoops& loops, size_t rank);
/// Writes nn.dense and qnn.dense; in nn_dense.cpp.
Status write_dense_in_c(const CLoops& loops, const CZeroPoints& zero_points = {});

}  // namespace partita
