#include "engine/ops/blocked_pooling.h"

#include <algorithm>
#include <limits>

#include "engine/ops/vector_units.h"

namespace partita {

namespace {

constexpr int64_t kPoolChannels = 8;
typedef float PoolChannels __attribute__((vector_size(kPoolChannels * sizeof(float))));
struct __attribute__((packed, may_alias)) PoolPlace {
    PoolChannels values;
};

/// The elements of the data that a window covers along an axis.
struct Covered {
    int64_t begin, end;
};

Covered covered(const BlockedPooling& pooling, size_t axis, int64_t window) {
    const int64_t first = window * pooling.stride[axis] - pooling.pad_before[axis];
    return {std::max<int64_t>(0, first), std::min(pooling.data[axis], first + pooling.window[axis])};
}

PARTITA_TARGET_AVX2 void pool_row(const BlockedPooling& pooling, const PoolPlace* data, Covered rows,
                                  PoolPlace* result) {
    for (int64_t x = 0; x < pooling.result[1]; ++x) {
        const Covered columns = covered(pooling, 1, x);
        PoolChannels largest = PoolChannels{} + std::numeric_limits<float>::lowest();
        for (int64_t y = rows.begin; y < rows.end; ++y)
            for (int64_t column = columns.begin; column < columns.end; ++column) {
                const PoolChannels values = data[y * pooling.data[1] + column].values;
                largest = values > largest ? values : largest;
            }
        result[x].values = largest;
    }
}

}  // namespace

void max_pool_blocked(const BlockedPooling& pooling, const float* data, float* result, int64_t begin, int64_t end) {
    const auto* from = reinterpret_cast<const PoolPlace*>(data);
    auto* to = reinterpret_cast<PoolPlace*>(result);
    for (int64_t plane = begin; plane < end; ++plane)
        for (int64_t y = 0; y < pooling.result[0]; ++y)
            pool_row(pooling, from + plane * pooling.data[0] * pooling.data[1], covered(pooling, 0, y),
                     to + (plane * pooling.result[0] + y) * pooling.result[1]);
}

}  // namespace partita
