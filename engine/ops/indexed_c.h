// Ops that use a tensor of indices, as loops in C. Like the kernels, they refuse an index that is out of range; the
// result keeps what was written before it.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// Returns `INDICES[AT]` as an int64; an unsigned one above its range becomes the maximum, as in index_values().
std::string index_in_c(const CTensor& indices, const std::string& at);

Status gather_in_c(const CLoops& loops);
Status gather_nd_in_c(const CLoops& loops);
Status adv_index_in_c(const CLoops& loops);
/// Writes scatter; scatter_add if `adds`.
Status scatter_in_c(const CLoops& loops, bool adds);
Status scatter_nd_in_c(const CLoops& loops);
Status reverse_sequence_in_c(const CLoops& loops);
Status unravel_index_in_c(const CLoops& loops);

}  // namespace partita
