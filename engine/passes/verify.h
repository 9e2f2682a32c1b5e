// The invariants that every frontend and every pass must keep. Checked after each of them in debug builds and if the
// environment has PARTITA_VERIFY, as tests and fuzzers do.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Returns whether modules are verified.
bool verifying();

/// Finds a name that is used where it is not visible, and one that is bound twice.
Status verify_scopes(const Module& module);

/// Finds an operand after its user, what verify_scopes finds, a type that is missing or not the inferred one, and an
/// origin beyond the `root_size` expressions of the module that the flow started from. That regions are convex follows
/// for partitioned modules: a sub-function's call follows all that it needs. Costs a type inference.
Status verify(const Module& module, size_t root_size);

}  // namespace partita
