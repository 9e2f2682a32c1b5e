// Which operators C can be written for.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// The one place that says so. An emitter may still refuse some element types; then the kernel is called instead.
inline bool has_c(const OpRecord& op) { return op.c_element || op.c_loops || op.same_bytes; }

}  // namespace partita
