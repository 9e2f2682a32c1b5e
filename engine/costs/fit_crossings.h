// What crossings between backends cost, as what remains of whole runs behind the operators' times: least squares
// without negative values (Lawson, Hanson, "Solving least squares problems", 1974, chapter 23).
#pragma once

#include <span>

#include "engine/costs/cost_model.h"

namespace partita {

/// A run of a division.
struct MeasuredDivision {
    CostedDivision division;  ///< as the flow made it
    int regions = 0;
    double ms = 0;  ///< the least of the whole runs; above 0
};

/// Fits the crossings of a table, milliseconds and milliseconds for an MB between each two backends, to the runs. What
/// no run tells stays near CostModel::unmeasured_crossing.
void fit_crossings(const CostModel& model, std::span<const MeasuredDivision> runs, CostTable& table);

}  // namespace partita
