// Type inference: gives every expression reachable from the module's functions its type, and every function its
// return type. In place, iterative, linear in the size of the module.
//
// Parameters need a declared type, except those of a function literal that is called: they take the arguments' types.
// A global function or a let-bound function that calls itself takes its declared return type, or the type of the
// first branch that does not call it.
#pragma once

#include "engine/ir/module.h"
#include "engine/support/cancel.h"

namespace partita {

/// On failure the diagnostic has the expression's position and names the expression, its operands' types and the
/// violated rule; the module is then only partly typed. Sets `where`, if given, to the faulty expression. Fails with
/// "cancelled" on cancel.
Status infer_types(Module& module, ExprId* where = nullptr, const CancelToken& cancel = {});

}  // namespace partita
