// Small expressions shared by several ONNX ops.
#pragma once

#include "engine/frontends/onnx/converter.h"

namespace partita::onnx {

/// Returns a scalar of the same element type as x.
ExprId like(NodeContext& node, ExprId x, double value);
/// Returns x * factor; x itself for the factor 1.
ExprId scaled(NodeContext& node, ExprId x, double factor);
/// Rounds to the nearest integer, ties to even (Relay's `round` takes ties away from zero).
ExprId round_half_even(Builder& build, ExprId x);
/// Returns 0, 1, 2, ... as [count]. Throws Fault if they are too many.
ExprId counted(Builder& build, int64_t count, DataType dtype = kInt64);
/// Returns x with its last two axes swapped; x itself if it has only one.
ExprId with_last_swapped(Builder& build, ExprId x);
/// Returns NumPy's matmul: of vectors, matrices, and stacks of matrices that broadcast.
ExprId matrix_product(Builder& build, ExprId a, ExprId b);
/// The same with the transpose of a matrix b [columns, depth]; a has two dimensions or more.
ExprId product_with_rows(Builder& build, ExprId a, ExprId b);
/// Returns indices with negative ones counted from the end of an axis.
ExprId wrapped_indices(Builder& build, ExprId indices, int64_t extent);
/// Wraps indices for ops that count negative ones from the end themselves: those before the first element stay out of
/// range. `extents` has one value for all indices, or one for each along the last axis.
ExprId once_wrapped_indices(Builder& build, ExprId indices, const Integers& extents);

/// Activations, as ONNX's operators of these names have them.
ExprId elu_of(NodeContext& n, ExprId x, double alpha);
/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
ExprId gelu_by_tanh(NodeContext& n, ExprId x);
ExprId hard_sigmoid_of(NodeContext& n, ExprId x, double alpha, double beta);
ExprId softplus_of(NodeContext& n, ExprId x);
ExprId softsign_of(NodeContext& n, ExprId x);
/// x sigmoid(alpha x)
ExprId swish_of(NodeContext& n, ExprId x, double alpha);
ExprId thresholded_relu_of(NodeContext& n, ExprId x, double alpha);

}  // namespace partita::onnx
