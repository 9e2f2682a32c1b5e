// FoldConstants: computes each call whose arguments are all constants, with the ops' own kernels.
//
// Runs after type inference. Leaves functions with `Compiler` alone, and results of over `max_bytes`. Typed result.
#pragma once

#include "engine/passes/decision_log.h"

namespace partita {

Result<Module> fold_constants(const Module& module, size_t max_bytes = size_t(1) << 30, DecisionLog* log = nullptr);

}  // namespace partita
