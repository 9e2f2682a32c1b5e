// Moves elements: each result element is a datum, or a filler. Kernels of padding, dilation and block rearrangement.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

/// Offsets into data and result, in elements, are sums of one term for each axis of a loop nest. A source term of
/// `kFiller` makes the element the filler, whatever the other axes say.
struct GatherAxis {
    static constexpr int64_t kFiller = -1;

    std::vector<int64_t> source;
    std::vector<int64_t> target;
};

/// `filler` is one element, and may be null if no term is kFiller. Elements have 1, 2, 4 or 8 bytes.
void gather_elements(const std::vector<GatherAxis>& axes, const void* data, void* result, const void* filler,
                     size_t element_bytes, ThreadPool& threads);

}  // namespace partita
