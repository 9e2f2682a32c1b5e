// Ops whose places a tensor of indices gives, as loops in C. As the kernels do, they refuse an index that is out of
// range; what was written before it then stays in the result.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// `INDICES[AT]` as an int64; an unsigned one above its range becomes its end, as index_values() has it.
std::string index_in_c(const CTensor& indices, const std::string& at);

Status gather_in_c(const CLoops& loops);
Status gather_nd_in_c(const CLoops& loops);
Status adv_index_in_c(const CLoops& loops);
/// scatter, and scatter_add where `adds`.
Status scatter_in_c(const CLoops& loops, bool adds);
Status scatter_nd_in_c(const CLoops& loops);
Status reverse_sequence_in_c(const CLoops& loops);
Status unravel_index_in_c(const CLoops& loops);

}  // namespace partita
