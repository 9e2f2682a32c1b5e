// What quantized operators have in common.
#pragma once

#include "engine/frontends/onnx/converter.h"
#include "engine/ir/quantized_matrix.h"

namespace partita::onnx {

/// Returns a scale or zero point with one value for each index of an axis, shaped to broadcast over data of a rank.
ExprId along_axis(NodeContext& n, ExprId vector, int64_t axis, int64_t rank);
/// Returns int32(x) - int32(zero point), which may be none.
ExprId centred(NodeContext& n, ExprId x, ExprId zero_point);
/// Returns float32 (x - zero point) scale, of one scale and zero point, which may be none.
ExprId real_of(NodeContext& n, ExprId x, ExprId scale, ExprId zero_point);
/// Returns round(x) + zero point, which may be none, clipped to the range of a type and cast to it.
ExprId saturated(NodeContext& n, ExprId x, ExprId zero_point, DataType dtype);
/// Returns x quantized to bytes for the whole tensor, its scale and its zero point (DynamicQuantizeLinear).
std::vector<ExprId> dynamically_quantized(NodeContext& n, ExprId x);
/// Returns the product of integers without their zero points, which may be none, times a factor, one for each column of
/// b or for all: float32.
ExprId real_product(NodeContext& n, ExprId a, ExprId a_zero, ExprId b, ExprId b_zero, ExprId factor);
/// Returns the weights as one constant that is computed when somebody asks for it; an invalid id if its parts are not
/// constants of the usual types. `zeros` is invalid if there are none.
ExprId dequantized_constant(NodeContext& n, QuantizedMatrix matrix, ExprId integers, ExprId scales, ExprId zeros);

}  // namespace partita::onnx
