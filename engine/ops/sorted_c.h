// Ops that sort or accumulate the elements of lines along an axis, as loops in C.
#pragma once

#include "engine/ops/op.h"

namespace partita {

/// Sorts each line along `axis` as the kernels do: NaN is larger than every number, equal elements keep their order.
/// Writes its first elements to `values`, and their places to `indices`, if given.
Status write_sorted_lines_in_c(const CLoops& loops, int64_t axis, bool ascending, const CTensor* values,
                               const CTensor* indices);
/// Writes cumsum; cumprod if `multiplies`.
Status scan_in_c(const CLoops& loops, bool multiplies);

}  // namespace partita
