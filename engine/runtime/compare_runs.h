// Two kept runs side by side: which regions and ops got faster or slower, and whether that is more than noise; and two
// ways of running one module, region by region: where their values part.
#pragma once

#include "engine/runtime/run.h"

namespace partita {

struct TimingDifference {
    std::string name;      ///< of the region, or of the op within it; "" for whole runs
    int region_a = -1, region_b = -1;  ///< indices into the reports' regions; -1 for whole runs
    Timing a, b;
    double ratio = 1;      ///< of the medians, b to a
    double noise = 0;      ///< the ratio's uncertainty: the spreads as shares of the medians, added
    bool significant = false;  ///< the ratio differs from 1 by more than the noise
};

/// Whole runs first, then the regions of `a` that `b` has too, by name.
std::vector<TimingDifference> compare_timings(const RunReport& a, const RunReport& b);

struct RegionDifference {
    ExprId call;           ///< in @main
    std::string name;      ///< the sub-function's
    std::vector<OutputDifference> outputs;
    bool within_tolerance = true;
};

/// Runs a partitioned module as `options` say and with all regions on `default`, with the same inputs, and compares
/// what each region gives, in the order of the calls. The first one outside the tolerance is where an error begins.
Result<std::vector<RegionDifference>> compare_regions(ModulePtr partitioned, const RunOptions& options, double tolerance = 1e-4);

}  // namespace partita
