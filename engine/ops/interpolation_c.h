// Loops in C whose result elements are weighted sums of data elements along some axes, for resizing and upsampling.
#pragma once

#include <span>
#include <vector>

#include "engine/ops/op.h"

namespace partita {

/// An axis without interpolation; strides in elements.
struct PlainAxis {
    int64_t extent, data_stride, result_stride;
};

/// An axis along which each result element is a weighted sum.
struct WeightedAxis {
    struct Tap {
        int64_t offset;  ///< into the data, in elements
        double weight;
    };
    std::vector<std::vector<Tap>> taps;  ///< by index of the result; the same number for each, at least one
    int64_t result_stride;
};

/// Sums from the last weighted axis to the first, in `sum_type`. If each sum is one element of weight 1, copies
/// elements of any type; else data and result must have one floating-point type of 32 or 64 bits, or the function
/// fails.
Status write_weighted_sums(const CLoops& loops, std::span<const PlainAxis> plain,
                           std::span<const WeightedAxis> weighted, DataType sum_type);

}  // namespace partita
