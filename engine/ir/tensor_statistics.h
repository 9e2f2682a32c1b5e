// What can be said of a tensor's values in a few numbers: for people who look at a weight. Two walks over the values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/tensor.h"
#include "engine/support/cancel.h"

namespace partita {

struct TensorStatistics {
    static constexpr size_t kBins = 12;

    int64_t count = 0;
    int64_t zeros = 0;
    int64_t not_finite = 0;  ///< not a number, or infinite: left out of all that follows
    double least = 0, largest = 0, mean = 0;
    double deviation = 0;                    ///< of all values, not estimated from a sample
    std::array<int64_t, kBins> histogram{};  ///< equal parts from least to largest
    std::vector<double> first;               ///< the first values, at most 16

    double finite() const { return double(count - not_finite); }
};

/// Deferred bytes are read for this look and not kept: throws as Tensor::lent_bytes. Nothing on cancel.
std::optional<TensorStatistics> tensor_statistics(const Tensor& tensor, const CancelToken& cancel);

}  // namespace partita
