// Ops whose places a tensor of indices gives, as loops in C. As the kernels do, they refuse an index that is out of range;
// what was written before it then stays in the result.
#pragma once

#include "engine/ops/op.h"

namespace partita {

Status gather_in_c(const CLoops& loops);
Status gather_nd_in_c(const CLoops& loops);
Status adv_index_in_c(const CLoops& loops);
/// scatter, and scatter_add where `adds`.
Status scatter_in_c(const CLoops& loops, bool adds);
Status scatter_nd_in_c(const CLoops& loops);
Status reverse_sequence_in_c(const CLoops& loops);
Status unravel_index_in_c(const CLoops& loops);

}  // namespace partita
