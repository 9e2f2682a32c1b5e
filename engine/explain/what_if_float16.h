// The effect on a division of a file's float32 constants being stored in 16 bits, as the converter's "float16
// quantization" does: a DEQUANTIZE stands in front of their readers then, and delegates differ in what they make of it.
#pragma once

#include "engine/explain/what_if.h"

namespace partita {

/// Returns a row for all such constants, and of those of each kind of operator that reads them and of the dozen largest
/// alone the rows that would change something; none where the file does not tell, or calls are placed by hand or by a
/// report. Each figure comes from the file read in that form and divided with `options`. Fails with "cancelled".
Result<std::vector<WhatIf>> what_if_float16(const FlowResult& flow, const FlowOptions& options);

}  // namespace partita
