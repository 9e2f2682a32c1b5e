// Operators that have a C emitter.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// The only place that decides it. An emitter may still refuse some element types; then the kernel is called instead.
inline bool has_c(const OpRecord& op) { return op.c_element || op.c_loops || op.same_bytes; }

}  // namespace partita
