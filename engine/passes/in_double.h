// A module that computes in float64 what another computes in narrower floats: what its results would be but for
// rounding.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Returns a typed copy whose parameters of @main and constants are as before, each cast to float64 where it is used,
/// and whose other floats are float64. Integers, and what decides by comparing, stay as they are. Fails where an
/// operator knows no float64, such as quantization, and for parameters that are tuples.
Result<Module> in_double(const Module& module);

}  // namespace partita
