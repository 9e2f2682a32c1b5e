// The values that a run gives to the parameters of @main.
#pragma once

#include "engine/program/backend.h"
#include "engine/runtime/run.h"

namespace partita {

/// Returns a tensor for each flattened part of each parameter, in order: from the options, others are generated. An
/// error names a parameter without a value, an input of another type, or one that no parameter has.
Result<std::vector<Tensor>> parameter_values(const Module& module, ExprId main, const RunOptions& options);

/// Returns views of those that stay the same from run to run; others have no data. `values` are of parameter_values().
std::vector<TensorView> values_known_before(const Module& module, ExprId main, std::vector<Tensor>& values);

}  // namespace partita
