// Places by measured cost: measures, solves, tries the answer, learns from it, and compares what remains in turns.
#pragma once

#include <functional>

#include "engine/costs/flip_cost.h"
#include "engine/costs/measure_costs.h"

namespace partita {

struct PlaceOptions {
    double measure_seconds = 60;  ///< 0: measure nothing, the table has to suffice
    bool measure_again = false;   ///< also what the table knows of the module
    double solve_seconds = 2;     ///< for divisions beyond the first, where the flow adds to the model
    RunOptions run;               ///< threads, repetitions, inputs
    Labels given;                 ///< a placement to be compared with the best; empty: none
    CancelToken cancel;
    std::function<void(double fraction, const std::string& what)> progress;
};

/// A division that was considered.
struct PlacedCandidate {
    std::string name;  ///< "chosen", "rules", "dnnl" for that backend alone, "default", "mixture 1", ...
    Labels labels;
    int regions = 0;
    double predicted_ms = 0;
    double measured_ms = 0;  ///< the least of its runs; 0: not measured
};

struct PlacementAnswer {
    PlacedCandidate chosen;
    double bound_ms = 0;            ///< no division costs less, by the table
    double gap = 0;                 ///< of the predicted cost and the bound, as a share
    double without_budgets_ms = 0;  ///< the bound if backends had room for all weights; 0: none has a budget
    /// Rules in the given order, each backend alone, and the others that were tried; without the chosen one.
    std::vector<PlacedCandidate> others;
    std::vector<FlipCost> contested;  ///< the smallest regret first; at most kMostContested
    /// By operator and label: what the best placement with the operator there costs; see least_costs.
    std::vector<std::vector<double>> least_ms;
    std::vector<Reentry> reentries;  ///< that these costs rest on
    double error_median = 0;         ///< of predictions against measurements, as a share; 0: nothing was measured
    bool given_holds = true;         ///< nothing is better than the given placement by more than the noise
    double noise_ms = 0;             ///< differences below it are within the noise of the runs; 0: nothing was measured

    const PlacedCandidate* find(const std::string& name) const;
    /// Whether the rules' placement stays: no other was faster by more than the noise, or costs less.
    bool rules_stay() const;
};

/// Chooses among all divisions the one that the table says costs least, and keeps the rules' where the measured gain is
/// within the noise. `table`: what was measured earlier; receives what is measured now.
Result<PlacementAnswer> place_by_cost(const PlacementTask& task, CostTable& table, const PlaceOptions& options);

}  // namespace partita
