// The operator nn.attention: softmax(scale * query * transposed key + mask) * value over heads, as one call.
//
// Its form is that of ONNX's Attention (opset 23) without what other calls do as well: splitting a width into heads,
// joining a cache. Shapes are [batch, heads, rows, size], and [batch, kv_heads, keys, ...] for keys and values, where
// each of kv_heads serves as many heads of queries one after another. Relax's R.nn.attention has one operand more at
// most, too, but heads behind rows and no shared ones. Unlike in both, the place of the first row among the keys is an
// attribute, so that one form suits a prompt, a prompt behind a cache (its keys), and ONNX's is_causal (0).
#pragma once

#include <span>
#include <vector>

#include "engine/ops/attention_kernel.h"
#include "engine/ops/op.h"

namespace partita {

std::vector<OpRecord> nn_attention_ops();

/// The first operands of nn.attention and of nn.linear_attention.
inline constexpr size_t kQuery = 0, kKey = 1, kValue = 2;

/// Returns the factor of the scores: the attribute `scale`, or 1 / sqrt(depth) if that is 0.
double attention_scale(const AttributesView& attributes, int64_t depth);

/// Returns what the kernel is to compute. `inputs` are checked by the operator's relation; their data is not read.
AttentionShape shape_of_attention(std::span<const TensorView> inputs, const AttributesView& attributes);

}  // namespace partita
