// Finds softmax(steps(Q K^T)) V in a flat graph: two products of batches, between them a softmax over the keys, and
// before that factors, masks and caps of the scores. It is computed as one step, without the matrices between. Where
// queries, keys, values or the result are transposed for it alone, they are read and written where they are instead.
#pragma once

#include "engine/backends/dnnl/chain_finder.h"
#include "engine/ops/attention_kernel.h"

namespace partita::onednn {

struct AttentionChain {
    AttentionShape shape;
    ValueId query = 0, key = 0, value = 0;
    std::vector<ValueId> matrices;  ///< of the score steps
    ValueId result = 0;
    uint32_t call = 0;            ///< the first product, or the call that is the whole
    std::vector<uint32_t> steps;  ///< all that it stands for, in the order of the graph
};

/// Returns the chain of a softmax. All its steps are in one region, nothing else uses what is between, and types and
/// shapes are those that the kernel supports. Or what nn.attention stands for, if that is the step.
std::optional<AttentionChain> attention_of(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                                           uint32_t softmax);

}  // namespace partita::onednn
