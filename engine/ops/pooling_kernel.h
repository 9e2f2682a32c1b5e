// Pooling of dense tensors whose spatial axes may stand anywhere: the loops behind nn.max_pool2d and its kin.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

/// Which data one result element along a spatial axis sees: first, first + step, ..., `count` of them, all inside.
struct PoolRange {
    int64_t first = 0, step = 1, count = 0;
    int64_t divisor = 1;  ///< this axis's factor of what a mean is divided by
};

struct PoolAxis {
    int64_t data_stride = 0, result_stride = 0;  ///< in elements
    std::vector<PoolRange> ranges;               ///< one for each result element along the axis
};

struct Pooling {
    bool maximum = true;
    std::vector<PoolAxis> axes;  ///< the spatial ones, outermost first
    /// Where the slices (all indices of the other axes but the trailing ones) begin, in data and result.
    std::vector<int64_t> data_slices, result_slices;
    int64_t inner = 1;  ///< elements that stand together after the last spatial axis
};

/// T is float, double, or an integer type of 32 or 64 bits. Means of integers are cut toward zero.
template <class T>
void pool(const Pooling& pooling, const T* data, T* result, ThreadPool& threads);

}  // namespace partita
