// What a call calls, where that is a function of the module.
#pragma once

#include "engine/ir/module.h"

namespace partita {

/// Returns the definition that a call of a global function means, or the literal function that is called. Invalid for
/// another expression, and for what is known at run time only.
inline ExprId called_function(const Module& module, ExprId call) {
    if (module.kind(call) != ExprKind::Call) return {};
    const ExprId callee = module.callee(call);
    if (module.kind(callee) == ExprKind::Function) return callee;
    return module.kind(callee) == ExprKind::GlobalVar ? module.find_function(module.name_id(callee)) : ExprId();
}

}  // namespace partita
