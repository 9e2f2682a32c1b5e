// What another backend for one operator would cost, in terms that add up, and what it costs if others may follow.
#pragma once

#include "engine/costs/best_division.h"
#include "engine/costs/reentry.h"

namespace partita {

struct FlipCost {
    uint32_t op = 0;       ///< of the model
    uint16_t from = 0;     ///< label
    uint16_t to = 0;       ///< label
    double ms = 0;         ///< if only this operator moved: against the division as it is
    double regret_ms = 0;  ///< if others may follow, against the same; below 0 where this division is not the best
    std::vector<CostTerm> before, after;  ///< the terms that change; their difference is `ms`

    /// Whether the flow divides as before, because a limit or a match takes the operator back.
    bool changes_nothing() const { return before.empty() && after.empty(); }
};
inline constexpr size_t kMostContested = 20;

/// Divides the module with the operator moved, and compares the prices. `now`: what the labels are divided into.
/// `least_ms`: of `least_costs`; may be empty.
Result<FlipCost> flip_cost(const PlacementTask& task, const CostTable& table, const CostedDivision& now,
                           const std::vector<std::vector<double>>& least_ms, uint32_t op, uint16_t to);

/// Lists the operators that could move at the least cost if others may follow: the smallest regret first, at most
/// kMostContested.
Result<std::vector<FlipCost>> contested_operators(const PlacementTask& task, const CostTable& table,
                                                  const CostedDivision& now,
                                                  const std::vector<std::vector<double>>& least_ms);

/// Returns, by operator and label, the least cost of all placements with the operator there; infinite where the rules
/// forbid it. Empty where the graph is too wide to tell, or if cancelled.
std::vector<std::vector<double>> least_costs(const PlacementTask& task, const CostTable& table,
                                             const std::vector<Reentry>& reentries, const CancelToken& cancel);

/// Returns the placement that costs least with the operator there; empty if the rules forbid it, or if cancelled.
Labels best_labels_with(const PlacementTask& task, const CostTable& table, const std::vector<Reentry>& reentries,
                        uint32_t op, uint16_t to, const CancelToken& cancel);

}  // namespace partita
