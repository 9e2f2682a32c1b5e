// Functions that a call of another program's operator runs (engine/ops/foreign.h) and that are shown in frames beside
// the call: the branches of an If, the body of a loop.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ops/foreign.h"

namespace partita {

struct GraphBody : CallBody {
    ExprId call;
    std::vector<uint32_t> inside;  ///< its expressions, ascending, with its parameters and those of bodies within it
    int32_t outer = -1;            ///< index of the body that has the call
};

/// Returns the bodies that a function's calls run, outer ones first, each where it is met first; those nested deeper
/// than a limit are left out. Linear.
std::vector<GraphBody> bodies_within(const Module& module, ExprId function);

}  // namespace partita
