// Pools as loops in C.
#pragma once

#include <optional>

#include "engine/ops/op.h"
#include "engine/ops/window.h"

namespace partita {

struct PoolingInC {
    bool maximum = true;
    std::vector<size_t> positions;  ///< of the spatial axes among the data's dimensions, in order
    std::optional<Window> window;   ///< missing: as many windows as the result has elements cover the data
    bool count_padding = false;
};

/// Refuses types that C has no name for, and layouts whose spatial axes do not stand together.
Status write_pooling_in_c(const CLoops& loops, const PoolingInC& pooling);

}  // namespace partita
