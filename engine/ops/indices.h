// Tensors of indices, and wrapping sums of elements.
#pragma once

#include <optional>
#include <vector>

#include "engine/ops/element_types.h"
#include "engine/ops/op.h"

namespace partita {

/// Returns the elements of an integer tensor; unsigned ones above the range of int64 become its maximum.
inline std::vector<int64_t> index_values(const TensorView& tensor) {
    std::vector<int64_t> values(size_t(tensor.size()));
    with_element_type(tensor.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (size_t i = 0; i < values.size(); ++i) {
            Wide<T> value = Wide<T>(tensor.as<T>()[i]);
            if constexpr (std::is_same_v<T, uint64_t>)
                value = value > uint64_t(INT64_MAX) ? uint64_t(INT64_MAX) : value;
            values[i] = convert<int64_t>(value);
        }
    });
    return values;
}

/// Counts a negative index from the end; returns nothing if it is out of range.
inline std::optional<int64_t> index_from_end(int64_t index, int64_t size) {
    if (index < 0 && index >= -size) index += size;
    if (index < 0 || index >= size) return std::nullopt;
    return index;
}

template <class T>
T wrapping_sum(T a, T b) {
    using W = Wide<T>;
    if constexpr (std::is_floating_point_v<W>) return T(W(a) + W(b));
    else return T(W(uint64_t(W(a)) + uint64_t(W(b))));
}

template <class T>
T wrapping_product(T a, T b) {
    using W = Wide<T>;
    if constexpr (std::is_floating_point_v<W>) return T(W(a) * W(b));
    else return T(W(uint64_t(W(a)) * uint64_t(W(b))));
}

}  // namespace partita
