// nn.conv1d, nn.conv2d and nn.conv3d as loops in C.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// `rank` is the number of spatial axes. Refuses blocked layouts and types that C has no name for.
Status write_convolution_in_c(const CLoops& loops, size_t rank);

}  // namespace partita
