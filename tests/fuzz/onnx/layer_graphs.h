// Random ONNX graphs of layers of images: several chains with values used twice, channels that fill no vector, groups,
// pads wider than kernels, inputs with NaN and infinities; and arithmetic on extreme integers and operands of different
// types. The recipes of one operator each seldom put more than two such layers behind each other.
#pragma once

#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

/// Depends on its arguments alone. `steps` 0: as many as the seed says.
GeneratedGraph make_layer_graph(uint64_t seed, uint64_t number, int steps = 0);
int layers_of(uint64_t seed, uint64_t number);

}  // namespace partita::fuzz
