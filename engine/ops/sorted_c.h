// Ops that order the elements of lines along an axis, or gather them up, as loops in C.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// Orders each line along `axis` as the kernels do, NaN being larger than every number, equal elements in their order;
/// hands its first elements to `values`, and their places to `indices`, where those are given.
Status write_sorted_lines_in_c(const CLoops& loops, int64_t axis, bool ascending, const CTensor* values,
                               const CTensor* indices);
/// cumsum, and cumprod where `multiplies`.
Status scan_in_c(const CLoops& loops, bool multiplies);

}  // namespace partita
