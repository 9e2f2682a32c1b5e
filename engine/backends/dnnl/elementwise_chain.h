// Finds operators that compute one function of one float tensor, element by element, from it and constants: the forms
// of GELU and of swish that exporters write, roundings, quantization and back. What such a chain computes is known by
// its values, not by how it is written.
#pragma once

#include <memory>

#include "engine/backends/dnnl/chain_finder.h"
#include "engine/ops/elementwise_program.h"

namespace partita::onednn {

struct ElementwiseChain {
    ValueId data = 0;
    std::shared_ptr<const ElementwiseProgram> program;
    std::vector<uint32_t> steps;  ///< in the order of the graph; the last one makes the result
};

/// Where a chain may be: from the step `first` on, in the region of the step `inside`.
struct ElementwiseStart {
    ValueId data;
    uint32_t first, inside;
    bool whole;  ///< nothing but the chain uses the data
};
/// Returns the chains that begin there, each a longer part of the same: of float32, and nothing else uses what is
/// between.
std::vector<ElementwiseChain> elementwise_chains(const Module& module, const FlatGraph& graph, const ValueUses& uses,
                                                 const ElementwiseStart& start);

/// An elementwise function as oneDNN's algorithm with its two parameters.
struct Eltwise {
    int algorithm;
    float alpha = 0, beta = 0;
};
/// Returns an activation of oneDNN with the same values for arguments of all sizes; nothing if there is none.
std::optional<Eltwise> known_activation(const ElementwiseProgram& program);

}  // namespace partita::onednn
