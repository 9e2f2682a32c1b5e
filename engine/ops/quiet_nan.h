// NaN among given numbers. Such a NaN is quiet: the processor notes nothing when it computes with it.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// Returns whether a tensor of float16, bfloat16, float32 or float64 has NaN; false for other types. Reads each element
/// once, until it finds one.
bool has_nan(const TensorView& tensor);

}  // namespace partita
