// Placements of one module for several sizes of its dimensions: where they differ, and one that is good for all.
#pragma once

#include <span>

#include "engine/costs/best_division.h"

namespace partita {

/// The module with one size, and its best placement.
struct SizedPlacement {
    const PlacementTask* task;
    const CostTable* table;
    Labels labels;
    double predicted_ms = 0;
};

struct OverSizes {
    Labels labels;                       ///< the least sum of shares over all sizes
    std::vector<double> predicted_ms;    ///< of it, by size
    std::vector<uint32_t> size_decides;  ///< operators whose backend is not the same for every size
};

/// Considers the solution for all sizes together, where each counts by its share of what is best for it, and each
/// size's own placement. Refuses modules that differ in more than sizes.
Result<OverSizes> place_over_sizes(std::span<const SizedPlacement> sizes, const CancelToken& cancel);

}  // namespace partita
