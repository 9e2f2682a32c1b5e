// What stands in the way of a run: operators of other frameworks that nothing computes.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Fails where a run of `function` would come to calls of `opaque` outside of backends' regions, and names the
/// operators and nodes. Calls that only one branch of a condition needs are left to the run. Linear in the module.
Status check_operators(const Module& module, ExprId function);

}  // namespace partita
