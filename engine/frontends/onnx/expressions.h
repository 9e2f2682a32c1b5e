// Small expressions that several ONNX ops are made of.
#pragma once

#include "engine/frontends/onnx/converter.h"

namespace partita::onnx {

/// A scalar of the same element type as x.
ExprId like(NodeContext& node, ExprId x, double value);
/// x * factor; x itself for the factor 1.
ExprId scaled(NodeContext& node, ExprId x, double factor);
/// Rounds to the nearest integer, ties to even (Relay's `round` takes ties away from zero).
ExprId round_half_even(Builder& build, ExprId x);
/// NumPy's matmul: vectors, matrices, and stacks of matrices that broadcast.
ExprId matrix_product(Builder& build, ExprId a, ExprId b);
/// Negative indices count from the end of an axis.
ExprId wrapped_indices(Builder& build, ExprId indices, int64_t extent);
/// For ops that count negative indices from the end themselves: what lies even before the first element stays out of
/// range. One extent for all indices, or one for each along the last axis.
ExprId once_wrapped_indices(Builder& build, ExprId indices, const std::vector<int64_t>& extents);

}  // namespace partita::onnx
