#include "engine/runtime/compare_runs.h"

#include <cmath>

namespace partita {

namespace {

TimingDifference difference_of(std::string name, int region_a, int region_b, const Timing& a, const Timing& b) {
    TimingDifference difference{std::move(name), region_a, region_b, a, b};
    if (a.median <= 0 || b.median <= 0) return difference;
    difference.ratio = b.median / a.median;
    difference.noise = difference.ratio * (a.spread / a.median + b.spread / b.median);
    difference.significant = std::fabs(difference.ratio - 1) > difference.noise;
    return difference;
}

}  // namespace

std::vector<TimingDifference> compare_timings(const RunReport& a, const RunReport& b) {
    std::vector<TimingDifference> differences{difference_of("", -1, -1, a.time, b.time)};
    std::map<std::string, int> regions_of_b;
    for (size_t i = 0; i < b.regions.size(); ++i) regions_of_b.emplace(b.regions[i].name, int(i));
    for (size_t i = 0; i < a.regions.size(); ++i) {
        auto other = regions_of_b.find(a.regions[i].name);
        if (other == regions_of_b.end()) continue;
        differences.push_back(difference_of(a.regions[i].name, int(i), other->second, a.regions[i].time, b.regions[size_t(other->second)].time));
    }
    return differences;
}

Result<std::vector<RegionDifference>> compare_regions(ModulePtr partitioned, const RunOptions& options, double tolerance) {
    RunOptions as_asked = options;
    as_asked.keep_region_outputs = true;
    as_asked.warmup = 0;
    as_asked.repeat = 1;
    RunOptions on_default = as_asked;
    on_default.all_on_default = true;
    Result<RunReport> one = run_module(partitioned, as_asked);
    if (!one) return one.error();
    Result<RunReport> other = run_module(partitioned, on_default);
    if (!other) return other.error();
    std::vector<RegionDifference> differences;
    for (size_t i = 0; i < one->region_outputs.size() && i < other->region_outputs.size(); ++i) {
        const RegionOutputs& made = one->region_outputs[i];
        RegionDifference difference{made.call, made.name, compare_outputs(made.outputs, other->region_outputs[i].outputs, tolerance)};
        for (const OutputDifference& output : difference.outputs) difference.within_tolerance &= output.within_tolerance;
        differences.push_back(std::move(difference));
    }
    return differences;
}

}  // namespace partita
