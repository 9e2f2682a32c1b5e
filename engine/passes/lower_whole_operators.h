// Writes operators that Relay does not have as Relay's own: nn.attention as products, a softmax and arithmetic,
// nn.rms_norm as mean and arithmetic, nn.rotary_embedding as slices and arithmetic, nn.expert_dense as products of all
// experts, nn.linear_attention as arithmetic row after row, linalg.det as products and a sum, and a qnn.requantize
// that rounds halves to even as arithmetic. For TVM, for backends that have rules for the parts, and for forms of files
// that lack the operator.
//
// Runs after type inference, before all other passes. Linear, but for constants of rows + keys integers for each size
// of a causal mask. The result is typed if the module is. Calls that need shapes that are not static stay, and
// nn.linear_attention of more than 256 rows, linalg.det above 3 x 3, and linalg.inv, for which Relay has no words.
#pragma once

#include "engine/passes/rewrite_calls.h"

namespace partita {

enum class ToBeLowered : uint8_t {
    All,
    WholeOperators,  ///< without roundings that Relay lacks: ONNX has that one
};

Result<Module> lower_whole_operators(const Module& module, DecisionLog* log = nullptr,
                                     RewriteReach reach = RewriteReach::OutsideRegions,
                                     ToBeLowered what = ToBeLowered::All);

/// Returns the number of calls that are none of Relay's, with those in functions of backends.
size_t whole_operator_calls(const Module& module, ToBeLowered what = ToBeLowered::All);

}  // namespace partita
