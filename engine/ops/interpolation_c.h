// Loops in C whose result elements are weighted sums of data elements along some axes: what resizing and upsampling
// are.
#pragma once

#include <span>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

/// An axis that stays as it is; strides in elements.
struct PlainAxis {
    int64_t extent, data_stride, result_stride;
};

/// An axis along which each result element is a weighted sum.
struct WeightedAxis {
    struct Tap {
        int64_t offset;  ///< into the data, in elements
        double weight;
    };
    std::vector<std::vector<Tap>> taps;  ///< by index of the result; equally many each, at least one
    int64_t result_stride;
};

/// Sums from the last weighted axis to the first, in `sum_type`. Where each sum is one element of weight 1, elements of
/// any type are copied; else data and result are of one floating-point type of 32 or 64 bits, or the writing fails.
Status write_weighted_sums(const CLoops& loops, std::span<const PlainAxis> plain,
                           std::span<const WeightedAxis> weighted, DataType sum_type);

}  // namespace partita
