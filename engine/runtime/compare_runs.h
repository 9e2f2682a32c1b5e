// Compares two saved runs: which regions and ops got faster or slower, and whether by more than noise. Also compares
// two ways of running one module, region by region, to find where their values diverge.
#pragma once

#include "engine/runtime/run.h"

namespace partita {

struct TimingDifference {
    std::string name;  ///< name of the region's function (of `a`, if it is in both) or of the op; "" for whole runs
    std::string short_name;  ///< of a region, "dnnl #17", if known
    int region_a = -1,
        region_b = -1;  ///< indices into the reports' regions; -1: not a region, or not in this run
    Timing a, b;        ///< zero if not in this run, or shorter than a clock shows
    bool in_a = true, in_b = true;
    double ratio = 1;          ///< ratio of the medians, b to a; 0 if one is missing
    double noise = 0;          ///< how far off the ratio may be: by the measurements, and by the state of the machine
    bool noise_known = false;  ///< whether both have enough measurements
    bool same_ops = true;      ///< false for regions of the same name with different ops
    bool significant = false;  ///< the ops are the same, and the ratio differs from 1 by more than the noise
    /// Not significant, and so noisy that a difference of a half would not show.
    bool too_noisy = false;
    std::vector<uint32_t> calls = {};  ///< of a group: their numbers
    int parts_a = 0, parts_b = 0;      ///< of a group: how many times it has in each run

    /// Returns the name for people.
    const std::string& shown() const { return short_name.empty() ? name : short_name; }
};

/// The verdict on a difference.
enum class TimingVerdict : uint8_t { OnlyInA, OnlyInB, OtherOps, TooFewRuns, TooNoisy, Same, Faster, Slower };
TimingVerdict verdict_on(const TimingDifference& difference);

struct RunDifference {
    TimingDifference whole;
    /// By short name where both runs know those, which stay when other regions change; else by the function's name.
    /// Those of `a` in order, then those only in `b`.
    std::vector<TimingDifference> regions;
    std::vector<TimingDifference> ops;  ///< by op, all its calls together, longest first: for different divisions
    /// By calls, the largest difference first: programs that made one of different calls are held against each other by
    /// the smallest groups of calls that both timed as a whole. Named after the call of the longest time,
    /// "nn.conv2d #5".
    std::vector<TimingDifference> groups;
};
RunDifference compare_timings(const RunReport& a, const RunReport& b);

/// A result of a region, for people to look at.
struct RegionValue {
    ExprId origin;         ///< what it is the value of, in the module that the flow started from; may be invalid
    Tensor own, expected;  ///< what the region's backend computed, and what `default` did from the same inputs
};

struct RegionDifference {
    ExprId call;                            ///< in @main
    std::string name;                       ///< name of the sub-function
    std::string short_name;                 ///< "dnnl #17", if known
    std::vector<OutputDifference> outputs;  ///< for correct inputs, as `default` computes them
    bool within_tolerance = true;           ///< of all outputs
    bool given_wrong_values = false;        ///< within tolerance here, but not in the run as requested
    std::vector<RegionValue> values;        ///< by output; empty if they are not kept

    /// Returns the name for people.
    const std::string& shown() const { return short_name.empty() ? name : short_name; }
};

inline constexpr size_t kMostKeptValueBytes = size_t(512) << 20;
/// Compares the results of each region with those of `default` for the same inputs, in the order of the calls. A region
/// that only receives wrong values from another is not wrong. Also runs the module as `options` say, to detect such
/// regions. Keeps the values of the first regions, up to kMostKeptValueBytes.
Result<std::vector<RegionDifference>> compare_regions(const ModulePtr& partitioned, const RunOptions& options,
                                                      double tolerance = 1e-4);
/// Returns what each result of a call of a sub-function stands for in the module that the flow started from.
std::vector<ExprId> origins_of_results(const Module& module, ExprId call, size_t count);
bool all_within(const std::vector<OutputDifference>& differences);
/// Returns the first region outside the tolerance. If each is within, but the run is not, returns the first where that
/// shows: the error then lies between regions. Else null.
const RegionDifference* first_wrong(const std::vector<RegionDifference>& regions);

}  // namespace partita
