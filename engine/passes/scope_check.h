// Checks that every name of a module is bound once, and visible where it is used: a parameter in its function's body, a
// let's name in the let's body. An expression with several uses lies in the innermost scope that holds them all.
//
// Near linear: a step for each operand, and one common ancestor each, found in logarithmic time by the skewed jump
// pointers of Myers, "An applicative random-access stack" (1983).
#pragma once

#include <optional>

#include "engine/ir/module.h"

namespace partita {

struct ScopeFault {
    ExprId var;
    ExprId user;
    bool bound_twice = false;  ///< by `user`; else `user` uses it where it is not visible
};

std::optional<ScopeFault> find_scope_fault(const Module& module);

}  // namespace partita
