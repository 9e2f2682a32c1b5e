#include "engine/ops/pooling_kernel.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace partita {

namespace {

/// What a maximum starts from: the lowest finite number, as in TVM, oneDNN and ONNX Runtime.
template <class T>
constexpr T lowest() {
    return std::numeric_limits<T>::lowest();
}

/// Treats NaN as smaller than everything, as TVM's max.
template <class T>
void take_larger(T& to, T value) {
    to = value > to ? value : to;
}

/// Sums of integers wrap.
template <class T>
void add_to(T& to, T value) {
    if constexpr (std::is_floating_point_v<T>) to += value;
    else to = T(std::make_unsigned_t<T>(to) + std::make_unsigned_t<T>(value));
}

template <class T>
void reduce_into(const T* from, T* to, int64_t count, bool maximum) {
    if (maximum)
        for (int64_t i = 0; i < count; ++i) take_larger(to[i], from[i]);
    else
        for (int64_t i = 0; i < count; ++i) add_to(to[i], from[i]);
}

/// The window of one result element, along one to three axes (missing ones have one range of one element).
struct WindowRanges {
    PoolRange range[3];
    int64_t stride[3];

    int64_t divisor() const { return std::max<int64_t>(1, range[0].divisor * range[1].divisor * range[2].divisor); }
    int64_t begin() const {
        return range[0].first * stride[0] + range[1].first * stride[1] + range[2].first * stride[2];
    }
    /// Returns the number of elements if they are consecutive in memory, as those of a whole plane are; else 0.
    int64_t consecutive() const {
        int64_t run = 1;
        for (size_t axis : {2, 1, 0}) {
            if (range[axis].count != 1 && range[axis].step * stride[axis] != run) return 0;
            run *= range[axis].count;
        }
        return run;
    }
    template <class Body>
    void for_each(const Body& body) const {
        int64_t step0 = range[0].step * stride[0], step1 = range[1].step * stride[1], step2 = range[2].step * stride[2];
        int64_t at0 = begin();
        for (int64_t i = 0; i < range[0].count; ++i, at0 += step0) {
            int64_t at1 = at0;
            for (int64_t j = 0; j < range[1].count; ++j, at1 += step1) {
                int64_t at2 = at1;
                for (int64_t k = 0; k < range[2].count; ++k, at2 += step2) body(at2);
            }
        }
    }
};

/// Sums a row in several accumulators: with only one, each addition would wait for the previous.
template <class T>
T reduce_row(const T* from, int64_t count, bool maximum) {
    constexpr int64_t kLanes = 16;
    T lanes[kLanes];
    std::fill_n(lanes, kLanes, maximum ? lowest<T>() : T(0));
    for (; count >= kLanes; count -= kLanes, from += kLanes) reduce_into(from, lanes, kLanes, maximum);
    reduce_into(from, lanes, count, maximum);
    for (int64_t half = kLanes / 2; half > 0; half /= 2) reduce_into(lanes + half, lanes, half, maximum);
    return lanes[0];
}

template <class T>
void pool_window(const Pooling& pooling, const WindowRanges& window, const T* data, T* result) {
    if (pooling.inner == 1) {
        constexpr int64_t kLongRow = 32;
        T value = pooling.maximum ? lowest<T>() : T(0);
        if (int64_t row = window.consecutive(); row >= kLongRow)
            value = reduce_row(data + window.begin(), row, pooling.maximum);
        else if (pooling.maximum) window.for_each([&](int64_t at) { take_larger(value, data[at]); });
        else window.for_each([&](int64_t at) { add_to(value, data[at]); });
        *result = pooling.maximum ? value : T(value / T(window.divisor()));
        return;
    }
    std::fill_n(result, pooling.inner, pooling.maximum ? lowest<T>() : T(0));
    window.for_each([&](int64_t at) { reduce_into(data + at, result, pooling.inner, pooling.maximum); });
    if (pooling.maximum) return;
    T divisor = T(window.divisor());
    for (int64_t i = 0; i < pooling.inner; ++i) result[i] = T(result[i] / divisor);
}

/// Computes all windows of one index along the first of three axes.
template <class T>
void pool_slice(const Pooling& pooling, const PoolAxis* const axes[3], const T* data, T* result) {
    WindowRanges window;
    for (size_t a = 0; a < 3; ++a) window.stride[a] = axes[a]->data_stride;
    for (size_t i = 0; i < axes[0]->ranges.size(); ++i)
        for (size_t j = 0; j < axes[1]->ranges.size(); ++j)
            for (size_t k = 0; k < axes[2]->ranges.size(); ++k) {
                window.range[0] = axes[0]->ranges[i];
                window.range[1] = axes[1]->ranges[j];
                window.range[2] = axes[2]->ranges[k];
                pool_window(pooling, window, data,
                            result + int64_t(i) * axes[0]->result_stride + int64_t(j) * axes[1]->result_stride +
                                int64_t(k) * axes[2]->result_stride);
            }
}

}  // namespace

template <class T>
void pool(const Pooling& pooling, const T* data, T* result, ThreadPool& threads) {
    static const PoolAxis single{0, 0, {PoolRange{0, 1, 1, 1}}};
    const PoolAxis* axes[3] = {&single, &single, &single};
    for (size_t a = 0; a < pooling.axes.size(); ++a) axes[3 - pooling.axes.size() + a] = &pooling.axes[a];

    // Rows of the last axis but one are separate tasks: few large images are divided too.
    int64_t slices = int64_t(pooling.data_slices.size());
    int64_t rows = int64_t(axes[1]->ranges.size());
    int64_t reads = 1;
    for (const PoolAxis* axis : axes) {
        int64_t most = 0;
        for (const PoolRange& range : axis->ranges) most = std::max(most, range.count);
        reads *= most * (axis == axes[1] ? 1 : int64_t(axis->ranges.size()));
    }
    int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(1, reads * pooling.inner));
    threads.parallel_for(slices * rows, grain, [&](int64_t begin, int64_t end) {
        PoolAxis row{axes[1]->data_stride, axes[1]->result_stride, {PoolRange()}};
        const PoolAxis* row_axes[3] = {axes[0], &row, axes[2]};
        for (int64_t task = begin; task < end; ++task) {
            int64_t slice = task / rows, index = task % rows;
            row.ranges[0] = axes[1]->ranges[size_t(index)];
            pool_slice(pooling, row_axes, data + pooling.data_slices[size_t(slice)],
                       result + pooling.result_slices[size_t(slice)] + index * row.result_stride);
        }
    });
}

template void pool(const Pooling&, const float*, float*, ThreadPool&);
template void pool(const Pooling&, const double*, double*, ThreadPool&);
template void pool(const Pooling&, const int32_t*, int32_t*, ThreadPool&);
template void pool(const Pooling&, const int64_t*, int64_t*, ThreadPool&);

}  // namespace partita
