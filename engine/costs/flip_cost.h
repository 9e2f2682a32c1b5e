// What another backend for one operator would cost, in terms that add up, and what it costs if others may follow.
#pragma once

#include "engine/costs/best_division.h"
#include "engine/costs/reentry.h"

namespace partita {

struct FlipCost {
    uint32_t op = 0;       ///< of the model
    uint16_t to = 0;       ///< label
    double ms = 0;         ///< if only this operator moved
    double regret_ms = 0;  ///< if others may follow: against the least cost with the operator where it is
    std::vector<CostTerm> before, after;  ///< the terms that change; their difference is `ms`
};

/// Divides the module with the operator moved, and compares the prices. `now`: what the labels are divided into. The
/// regret is left at 0.
Result<FlipCost> flip_cost(const PlacementTask& task, const CostTable& table, const CostedDivision& now, uint32_t op,
                           uint16_t to);

/// Returns, by operator and label, the least cost of all placements with the operator there; infinite where the rules
/// forbid it. Empty where the graph is too wide to tell, or if cancelled.
std::vector<std::vector<double>> least_costs(const PlacementTask& task, const CostTable& table,
                                             const std::vector<Reentry>& reentries, const CancelToken& cancel);

/// Returns the placement that costs least with the operator there; empty if the rules forbid it, or if cancelled.
Labels best_labels_with(const PlacementTask& task, const CostTable& table, const std::vector<Reentry>& reentries,
                        uint32_t op, uint16_t to, const CancelToken& cancel);

}  // namespace partita
