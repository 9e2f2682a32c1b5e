// The operators of a `.tflite` file for rules that are about them: each has its options as attributes and, where its
// tensors are quantized, scales, zero_points, result_scales and result_zero_points: a list for each argument or result.
#pragma once

#include <functional>
#include <span>

#include "engine/frontends/litert/model.h"
#include "engine/graph/graph.h"
#include "engine/ir/file_operators.h"
#include "engine/ops/foreign.h"

namespace partita::litert {

/// The options of an operator as attributes, but for those that were not kept.
std::vector<std::pair<std::string, AttributeValue>> kept_attributes(const Operator& op);

/// `graph` is that of the subgraph, `order` one in which its nodes can run. Only what LiteRT takes for a constant is
/// one. Linear.
StatedOperators file_operators(const Subgraph& subgraph, const Graph& graph, std::span<const NodeId> order,
                               const std::function<Tensor(const TensorInfo&)>& constant);

}  // namespace partita::litert
