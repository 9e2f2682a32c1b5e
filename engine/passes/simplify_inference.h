// SimplifyInference: removes what only training needs, as TVM 0.9's pass of that name
// (src/relay/transforms/simplify_inference.cc): batch_norm becomes multiply and add, dropout vanishes, and so on.
//
// Runs after type inference, before all other passes. Linear. The result is typed.
#pragma once

#include "engine/ir/decision_log.h"

namespace partita {

Result<Module> simplify_inference(const Module& module, DecisionLog* log = nullptr);

}  // namespace partita
