// Placements between which one has to choose: what fewer regions, or fewer weights on backends, cost in time.
#pragma once

#include "engine/costs/best_division.h"

namespace partita {

enum class ParetoGoal : uint8_t { Regions, Weights };

struct ParetoPoint {
    Labels labels;
    int regions = 0;
    double weight_mb = 0;  ///< of constants and weights that operators on backends read
    double predicted_ms = 0;
};

/// Returns placements of which none is better in both, the fastest first. Found by adding a price for each crossing or
/// each MB of weights, so that only points on the convex hull appear.
Result<std::vector<ParetoPoint>> pareto_curve(const PlacementTask& task, const CostTable& table, ParetoGoal goal);

}  // namespace partita
