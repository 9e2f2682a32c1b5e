// Finds what oneDNN can compute in one go: a convolution, dense layer or binary op, and the chain of bias,
// normalization, activation and residual sum that follows it; or a normalization with the scale, shift and activation
// that follow it.
//
// In a plan of several regions, a chain lies within one region; what lies in none is on `default` and stays alone.
#pragma once

#include <optional>
#include <vector>

#include "engine/program/flat_graph.h"

namespace partita::onednn {

/// What one step of a chain does to the value before it.
struct ChainLink {
    enum class Kind : uint8_t {
        Bias,       ///< plus `operand`, one value for each channel
        Scale,      ///< times `operand`, one value for each channel
        BatchNorm,  ///< the four operands of a batch_norm step
        Eltwise,    ///< `algorithm`(x; alpha, beta), with oneDNN's meaning of the two
        Sum,        ///< plus `operand`, a tensor of the same shape
        Integer,    ///< a step on the sums of 8-bit products: see IntegerChainBuilder. `operand` is added or shifted by
    };
    Kind kind;
    uint32_t step;  ///< of the flat graph
    ValueId operand = 0;
    int algorithm = 0;  ///< a dnnl::algorithm
    float alpha = 0, beta = 0;
    std::vector<uint32_t> inner = {};  ///< steps before `step` that it stands for too: gelu and swish are several ops
};

/// A step with the chain that may be computed with it, at the place of the chain's last step.
struct FusedStep {
    uint32_t root;
    std::vector<ChainLink> links;
    uint32_t last() const { return links.empty() ? root : links.back().step; }
};

/// An elementwise op as oneDNN's eltwise algorithm with its two parameters.
struct Eltwise {
    int algorithm;
    float alpha = 0, beta = 0;
};
/// Whether oneDNN gives a number for NaN where Relay's op doesn't. Behind a convolution, product or binary op such an
/// operation stays fused all the same: those of oneDNN that keep NaN take up to twice the time of the whole layer.
bool swallows_nan(const Eltwise& eltwise);
std::optional<Eltwise> eltwise_of(const Module& module, const FlatGraph& graph, uint32_t step);

/// The axis of a step's result along which `operand` has one value each; nothing where it hasn't the shape of that.
std::optional<size_t> channel_axis_of(const Module& module, const FlatGraph& graph, uint32_t step, ValueId operand);

/// All steps, each once: as a root or as a link. In the order of `last()`. `plan`: what lies in no region is on
/// `default`.
std::vector<FusedStep> fuse(const Module& module, const FlatGraph& graph, bool plan);

}  // namespace partita::onednn
