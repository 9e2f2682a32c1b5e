// Weights in blocks: a matrix of small integers whose rows are cut into blocks, each with a scale and a zero point
// (Frantar et al., "GPTQ", 2022; the format of com.microsoft.MatMulNBits, docs/ContribOperators.md).
#pragma once

#include "engine/ir/tensor.h"

namespace partita {

/// Element (r, k) is (integer - zero point) * scale, the last two of block k / `block` of row r.
struct QuantizedMatrix {
    int64_t rows = 0, depth = 0;
    int64_t block = 0;  ///< integers in a block; the last one of a row may go beyond the depth
    int bits = 4;       ///< 2, 4 or 8
    Tensor integers;    ///< uint8, rows x blocks() x (block * bits / 8): several to a byte, the lowest bits first
    Tensor scales;      ///< float32, rows x blocks()
    Tensor zeros;       ///< uint8, rows x ((blocks() * bits + 7) / 8), packed alike; undefined: all 2^(bits - 1)

    int64_t blocks() const { return (depth + block - 1) / block; }
    int64_t bytes_of_block() const { return block * bits / 8; }
    int64_t bytes_of_zeros() const { return (blocks() * bits + 7) / 8; }
};

/// Returns the numbers, float32 [rows, depth], computed when somebody asks for them. Tensor::quantized() tells what
/// they are made of.
Tensor tensor_of(QuantizedMatrix matrix);

}  // namespace partita
