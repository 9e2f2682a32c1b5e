// Two kept runs side by side: which regions and ops got faster or slower, and whether that is more than noise; and two
// ways of running one module, region by region: where their values part.
#pragma once

#include "engine/runtime/run.h"

namespace partita {

struct TimingDifference {
    std::string name;  ///< of the region or op; "" for whole runs
    int region_a = -1,
        region_b = -1;         ///< indices into the reports' regions; -1: not a region, or this run has none of it
    Timing a, b;               ///< zero where a run has none of it
    double ratio = 1;          ///< of the medians, b to a; 0 where one of them has none
    double noise = 0;          ///< the ratio's uncertainty: the spreads as shares of the medians, added
    bool noise_known = false;  ///< a spread needs three measurements of each
    bool same_ops = true;      ///< false for a region that has other ops in the other run, though the same name
    bool significant = false;  ///< the ops are the same, and the ratio differs from 1 by more than the noise
};

struct RunDifference {
    TimingDifference whole;
    std::vector<TimingDifference> regions;  ///< by name: those of `a` in its order, then what only `b` has
    std::vector<TimingDifference> ops;      ///< by op, all its calls together, longest first: for other divisions
};
RunDifference compare_timings(const RunReport& a, const RunReport& b);

struct RegionDifference {
    ExprId call;                            ///< in @main
    std::string name;                       ///< the sub-function's
    std::vector<OutputDifference> outputs;  ///< with the right inputs, as `default` gives them
    bool within_tolerance = true;           ///< all of these
    bool given_wrong_values = false;        ///< within, but in the run as it was asked for its values are not
};

/// Compares what each region gives with what `default` gives for the same inputs, in the order of the calls: one that
/// only gets wrong values from another is no wrong one. Also runs the module as `options` say, to tell these.
Result<std::vector<RegionDifference>> compare_regions(ModulePtr partitioned, const RunOptions& options,
                                                      double tolerance = 1e-4);
/// The first one outside the tolerance. Where each is within, but the run is not, the first at which that shows: then
/// the fault lies between regions. Else null.
const RegionDifference* first_wrong(const std::vector<RegionDifference>& regions);

}  // namespace partita
