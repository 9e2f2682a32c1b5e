// Random ONNX graphs of functions and subgraphs: attributes with defaults and references to them, inputs that are left
// out, overloads; If, Loop and Scan with values of outside, whose branches hold operators that fail where their
// condition does not guard them.
//
// A graph depends only on its seed and number, on every machine.
#pragma once

#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

GeneratedGraph make_control_graph(uint64_t seed, uint64_t number);

}  // namespace partita::fuzz
