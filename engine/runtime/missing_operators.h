// Detects what prevents a run: operators of other frameworks that nothing computes.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Fails if a run of `function` would reach calls of `opaque` outside of backends' regions, and names the operators and
/// nodes. Leaves calls that only one branch of a condition needs to the run. Linear in the module.
Status check_operators(const Module& module, ExprId function);

}  // namespace partita
