// The ops on quantized tensors as loops in C: the same arithmetic as the kernels of qnn.cpp, with factors computed from
// the scales when the generated code runs.
#pragma once

#include "engine/ops/op.h"

namespace partita {

Status quantize_in_c(const CLoops& loops);
Status dequantize_in_c(const CLoops& loops);
Status requantize_in_c(const CLoops& loops);

enum class QuantizedBinary : uint8_t { Add, Subtract, Multiply };
/// Refuses scales for each channel.
Status quantized_binary_in_c(const CLoops& loops, QuantizedBinary which);
Status quantized_concatenate_in_c(const CLoops& loops);
/// Refuses zero points of the weight for each channel and sums of 64 bits.
Status quantized_conv2d_in_c(const CLoops& loops);
Status quantized_dense_in_c(const CLoops& loops);

}  // namespace partita
