// Whether every name of a module is visible where it is used: a parameter in its function's body, a let's name in the
// let's body. An expression that is used in several places stands in the innermost scope that holds them all.
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
};

/// The first name that is used where it isn't visible.
std::optional<ScopeFault> find_invisible_name(const Module& module);

}  // namespace partita
