// Pooling of dense tensors with spatial axes at any position: the loops of nn.max_pool2d and similar ops.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

/// The data that one result element along a spatial axis reads: first, first + step, ..., `count` of them, all inside.
struct PoolRange {
    int64_t first = 0, step = 1, count = 0;
    int64_t divisor = 1;  ///< this axis's factor of a mean's divisor
};

struct PoolAxis {
    int64_t data_stride = 0, result_stride = 0;  ///< in elements
    std::vector<PoolRange> ranges;               ///< one for each result element along the axis
};

struct Pooling {
    bool maximum = true;
    std::vector<PoolAxis> axes;  ///< the spatial ones, outermost first
    /// The starts of the slices (all indices of the other axes except the trailing ones), in data and result.
    std::vector<int64_t> data_slices, result_slices;
    int64_t inner = 1;  ///< contiguous elements after the last spatial axis
};

/// T is float, double, or an integer type of 32 or 64 bits. Means of integers are rounded toward zero.
template <class T>
void pool(const Pooling& pooling, const T* data, T* result, ThreadPool& threads);

}  // namespace partita
