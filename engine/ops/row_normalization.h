// The normalization of the rows of a matrix, each in one pass while it is in the cache.
#pragma once

#include <cstdint>

namespace partita {

/// y = (x - mean) / sqrt(variance + epsilon) * scale + shift; without `centered`, the mean counts as 0.
struct RowNormalization {
    int64_t columns;
    bool centered;
    float epsilon;
    const float* scale;  ///< of the columns; null: 1
    const float* shift;  ///< null: 0
};

/// Normalizes rows [begin, end) of row-major matrices.
void normalize_rows(const RowNormalization& normalization, const float* data, float* result, int64_t begin,
                    int64_t end);

}  // namespace partita
