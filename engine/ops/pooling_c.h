// Pools as loops in C.
#pragma once

#include <optional>

#include "engine/ops/op.h"
#include "engine/ops/window.h"

namespace partita {

struct PoolingInC {
    bool maximum = true;
    std::vector<size_t> positions;  ///< of the spatial axes among the data's dimensions, in order
    std::optional<Window> window;   ///< if missing, one window per result element, which together cover the data
    bool count_padding = false;
};

/// Refuses types without a C name, and layouts whose spatial axes are not adjacent.
Status write_pooling_in_c(const CLoops& loops, const PoolingInC& pooling);

}  // namespace partita
