// FoldConstants: computes each call whose arguments are all constants, with the ops' own kernels.
//
// Runs after type inference. Skips functions with `Compiler`, and results of over `max_bytes`. The result is typed.
#pragma once

#include <string>

#include "engine/ir/decision_log.h"

namespace partita {

Result<Module> fold_constants(const Module& module, size_t max_bytes = size_t(1) << 30, DecisionLog* log = nullptr);

/// Folds only in the functions, global or not, whose attribute `Compiler` is the given one. A backend may ask for this
/// once its sub-functions are made, as with TVM's hook `relay.ext.NAME.optimize`.
Result<Module> fold_constants_for(const Module& module, const std::string& compiler, size_t max_bytes = size_t(1) << 30,
                                  DecisionLog* log = nullptr);

}  // namespace partita
