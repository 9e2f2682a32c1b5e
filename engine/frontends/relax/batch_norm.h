// Normalization by the statistics of the batch, which the engine has no operator for: R.nn.batch_norm with
// training=True (Apache TVM 0.20, include/tvm/topi/nn/batch_norm.h: mean and variance over all axes but one, then scale
// and offset).
#pragma once

#include <span>
#include <vector>

#include "engine/frontends/relax/program.h"
#include "engine/ir/module.h"

namespace partita::relax {

/// Returns what a call normalizes, made of single operators; the others of these are appended to `helpers`.
/// `arguments`: data, scale and offset, typed. Invalid where the keywords or types are others, or where scale or offset
/// are computed.
ExprId normalized_by_batch(Module& module, std::span<const ExprId> arguments, std::span<const Keyword> keywords,
                           std::vector<ExprId>& helpers);

}  // namespace partita::relax
