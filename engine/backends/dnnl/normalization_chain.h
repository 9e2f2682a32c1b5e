// Finds a normalization of rows that is written as single operators, as exporters write it:
//
//   centered = x - mean(x);  y = centered / sqrt(mean(centered^2) + epsilon)    layer normalization
//   y = x * (1 / sqrt(mean(x^2) + epsilon))                                     root mean square
//
// and the scale and shift of the columns that follow. It is computed in one pass over each row.
#pragma once

#include "engine/backends/dnnl/chain_finder.h"

namespace partita::onednn {

struct NormalizationChain {
    ValueId data = 0;
    bool centered = false;
    float epsilon = 0;
    std::optional<ValueId> scale, shift;  ///< of the columns
    std::vector<uint32_t> steps;          ///< all that it stands for, in the order of the graph
};

/// Returns the chain around a square root. All its steps are in one region, of float32, and nothing else uses what is
/// between. Or what nn.rms_norm stands for, if that is the step.
std::optional<NormalizationChain> normalization_of(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                                                   uint32_t root);

}  // namespace partita::onednn
