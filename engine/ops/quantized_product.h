// A few rows times weights of four bits, which stay in four bits in memory: what limits such a product is how fast
// weights are read.
#pragma once

#include "engine/ir/quantized_matrix.h"
#include "engine/ops/product_steps.h"
#include "engine/ops/tile_kernels.h"

namespace partita {

/// Weights as the kernel reads them.
class QuantizedWeights {
public:
    /// Returns whether the kernel knows the form: four bits, in blocks of a multiple of 32.
    static bool takes(const QuantizedMatrix& matrix) { return matrix.bits == 4 && matrix.block % 32 == 0; }

    /// Of a matrix that it takes; row j of it is column j of the product. Reads all its bytes.
    explicit QuantizedWeights(const QuantizedMatrix& matrix);

    int64_t columns() const { return columns_; }
    int64_t depth() const { return depth_; }
    size_t bytes() const { return words_.size() * sizeof(uint32_t) + scales_.size() * sizeof(float) + zeros_.size(); }

    /// Computes result = first x weights; `first` is rows x depth, row-major.
    void multiply(int64_t rows, const float* first, const ProductResult& result, const ParallelLoop& parallel) const;

private:
    void pack_column(int64_t column, const uint8_t* integers);

    int64_t columns_, depth_;
    int64_t groups_;               ///< of a column: vectors of words of eight integers, the last one filled up
    std::vector<uint32_t> words_;  ///< by column and group
    std::vector<float> scales_;    ///< by column, for each 32 integers
    std::vector<uint8_t> zeros_;   ///< the same
};

}  // namespace partita
