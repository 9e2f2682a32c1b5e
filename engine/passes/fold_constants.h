// FoldConstants: computes each call whose arguments are all constants, with the ops' own kernels.
//
// Runs after type inference. Leaves functions with `Compiler` alone, and results of over `max_bytes`. Typed result.
#pragma once

#include <string>

#include "engine/ir/decision_log.h"

namespace partita {

Result<Module> fold_constants(const Module& module, size_t max_bytes = size_t(1) << 30, DecisionLog* log = nullptr);

/// The same within the functions, global or not, whose attribute `Compiler` is the given one; all else stays as it is.
/// What a backend wants of its own sub-functions once they are made, as TVM's hook `relay.ext.NAME.optimize`.
Result<Module> fold_constants_for(const Module& module, const std::string& compiler, size_t max_bytes = size_t(1) << 30,
                                  DecisionLog* log = nullptr);

}  // namespace partita
