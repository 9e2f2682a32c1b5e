// Values that cross although their producer and their user are on the same backend: a path leaves the backend between
// the two and comes back, so that no region can hold both. With these terms a problem of labels knows what the flow's
// merging will refuse, and its solution is a bound that divisions reach.
#pragma once

#include <vector>

#include "engine/costs/cost_model.h"

namespace partita {

/// `between` lies on a path from the value's producer to `user`. If it is on another backend than these two, which are
/// on the same, the value crosses.
struct Reentry {
    uint32_t value;  ///< of the model
    uint32_t user, between;

    auto operator<=>(const Reentry&) const = default;
};

/// Returns a reentry for each value that a division lets cross between two regions of one backend, where there is one.
/// Costs, for each such value, a walk over the operators between the two.
std::vector<Reentry> find_reentries(const CostModel& model, const CostedDivision& division);

/// Adds what the values cost for which a reentry holds: each once, though it may cross to several regions.
void add_reentries(CostProblem& problem, const CostModel& model, const CostTable& table,
                   std::vector<Reentry> reentries);

}  // namespace partita
