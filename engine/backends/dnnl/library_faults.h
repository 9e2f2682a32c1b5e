// What oneDNN computes wrongly, so that it is not asked for it. Found in 2.6.3, Debian's, by
// tests/engine/test_dnnl_faults, which compares every kind of primitive with the kernels of `default`.
#pragma once

#include <span>
#include <vector>

#include "engine/backends/dnnl/fusion.h"
#include "engine/ops/convolution.h"

#include <dnnl.hpp>

namespace partita::onednn {

/// Of a normalization with known statistics: the epsilon with which it divides by exactly 1. With an epsilon of 0, the
/// channels that fill up the last block become 0 / 0, and what reads the block next is NaN.
inline constexpr float kEpsilonOfOne = 0x1p-10F, kVarianceOfOne = 1 - kEpsilonOfOne;

/// Returns whether a normalization leaves NaN in the channels that fill up the last block: if epsilon is 0.
bool spoils_filling_channels(const dnnl::memory::desc& layout, double epsilon);

/// Returns the axes' new places with that of the blocks second: there a binary operation with others behind it looks
/// for channels. With blocks of another axis it fills up the second one as if it were in blocks, and results become 0.
std::vector<int> order_with_blocks_second(const dnnl::memory::desc& layout);

/// Returns whether an operation after a binary one is wrong, and writes behind the result: if both operands are in
/// blocks of another length than the vectors', or in blocks that are not full.
bool spoils_chain_of_binary(const dnnl::memory::desc& first, const dnnl::memory::desc& second);

/// Returns whether a convolution that adds a tensor reads and writes behind it: with AVX-512, if a row of its result
/// sees padding alone.
bool spoils_sum(const ConvolutionGeometry& geometry);

/// Two operations of one algorithm in a chain get the same constants. Returns whether `link` would take others' ones.
bool shares_constants(std::span<const ChainLink> links, const ChainLink& link);

}  // namespace partita::onednn
