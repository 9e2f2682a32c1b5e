#include "engine/ops/broadcast.h"

#include <cassert>

namespace partita {

namespace {

/// Returns row-major strides of `shape` in a result of `rank` dimensions; 0 along broadcast dimensions.
std::vector<int64_t> broadcast_strides(std::span<const int64_t> shape, size_t rank) {
    std::vector<int64_t> strides(rank, 0);
    int64_t stride = 1;
    for (size_t i = 1; i <= std::min(rank, shape.size()); ++i) {
        int64_t dim = shape[shape.size() - i];
        strides[rank - i] = dim == 1 ? 0 : stride;
        stride *= dim;
    }
    return strides;
}

}  // namespace

BroadcastPlan::BroadcastPlan(std::span<const int64_t> result, std::span<const std::span<const int64_t>> inputs) {
    assert(inputs.size() <= kMaxBroadcastInputs);
    std::vector<std::vector<int64_t>> input_strides;
    for (std::span<const int64_t> shape : inputs) input_strides.push_back(broadcast_strides(shape, result.size()));
    // Innermost first; reversed at the end.
    for (size_t d = result.size(); d-- > 0;) {
        size *= result[d];
        if (result[d] == 1) continue;
        BroadcastSteps steps{};
        for (size_t i = 0; i < inputs.size(); ++i) steps[i] = input_strides[i][d];
        bool joins = !extents.empty();
        for (size_t i = 0; joins && i < inputs.size(); ++i) joins = steps[i] == strides.back()[i] * extents.back();
        if (joins) {
            extents.back() *= result[d];
        } else {
            extents.push_back(result[d]);
            strides.push_back(steps);
        }
    }
    if (extents.empty()) {
        extents.push_back(1);
        strides.push_back({});
    }
    std::reverse(extents.begin(), extents.end());
    std::reverse(strides.begin(), strides.end());
}

}  // namespace partita
