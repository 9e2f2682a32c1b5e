// The parts of the elementwise family, one file each; elementwise.cpp joins them.
#pragma once

#include <vector>

#include "engine/ops/op.h"

namespace partita {

std::vector<OpRecord> unary_ops();   ///< elementwise_unary.cpp
std::vector<OpRecord> binary_ops();  ///< elementwise_binary.cpp: arithmetic, bits, comparison, with broadcasting

/// Returns the error of a kernel whose element type has no C++ type: "exp of int4 is not supported on default".
Diagnostic unsupported_element(const OpRecord& op, DataType dtype);

/// Writes the first output: the first input's elements, converted to its type.
Status cast_kernel(const KernelCall& call);

/// Elements that justify a separate thread, if an element costs about a nanosecond.
inline constexpr int64_t kCheapGrain = 1 << 16;
/// The same if an element costs tens of nanoseconds.
inline constexpr int64_t kCostlyGrain = 1 << 12;

}  // namespace partita
