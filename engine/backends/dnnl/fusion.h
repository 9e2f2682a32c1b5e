// Finds what oneDNN can compute as one primitive: a convolution, dense layer or binary op, and the chain of bias,
// normalization, activation and residual sum that follows it; or a normalization with the scale, shift and activation
// that follow it. Also what the backend has kernels of its own for: attention, normalizations of rows, and functions
// of single elements.
//
// In a plan of several regions, a chain is within one region; steps in no region are on `default` and stay separate.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/backends/dnnl/attention_chain.h"
#include "engine/backends/dnnl/elementwise_chain.h"
#include "engine/backends/dnnl/normalization_chain.h"

namespace partita::onednn {

/// The operation of one step of a chain on the value before it.
struct ChainLink {
    enum class Kind : uint8_t {
        Bias,       ///< plus `operand`, one value for each channel
        Scale,      ///< times `operand`, one value for each channel
        BatchNorm,  ///< the four operands of a batch_norm step
        Eltwise,    ///< `algorithm`(x; alpha, beta), as defined by oneDNN
        Sum,        ///< plus `operand`, a tensor of the same shape
        Integer,    ///< a step on the sums of 8-bit products: see IntegerChainBuilder. Adds `operand`, or shifts by it
    };
    Kind kind;
    uint32_t step;  ///< of the flat graph
    ValueId operand = 0;
    int algorithm = 0;  ///< a dnnl::algorithm
    float alpha = 0, beta = 0;
    std::vector<uint32_t> inner = {};                         ///< earlier steps that it includes
    std::shared_ptr<const ElementwiseChain> chain = nullptr;  ///< of an activation that is several ops: gelu, swish
};

/// A step with the chain that can be computed with it, at the position of the chain's last step.
struct FusedStep {
    uint32_t root;
    std::vector<ChainLink> links;
    // If one of them is set, there are no links.
    std::shared_ptr<const AttentionChain> attention = nullptr;
    std::shared_ptr<const ElementwiseChain> elementwise = nullptr;
    std::shared_ptr<const NormalizationChain> normalization = nullptr;

    uint32_t last() const {
        if (attention) return attention->steps.back();
        if (elementwise) return elementwise->steps.back();
        if (normalization) return normalization->steps.back();
        return links.empty() ? root : links.back().step;
    }
};

/// Returns an elementwise op as an algorithm of oneDNN.
std::optional<Eltwise> eltwise_of(const Module& module, const FlatGraph& graph, uint32_t step);

/// Returns the axis of a step's result along which `operand` has one value each; nothing if its shape differs.
std::optional<size_t> channel_axis_of(const Module& module, const FlatGraph& graph, uint32_t step, ValueId operand);

/// Returns all steps, each once, as a root or as a link, in the order of `last()`. `plan`: steps in no region are on
/// `default`.
std::vector<FusedStep> fuse(const Module& module, const FlatGraph& graph, bool plan);

}  // namespace partita::onednn
