#include "engine/runtime/kept_regions.h"

#include <numeric>

namespace partita {

void KeptRegions::keep(FlatGraph& graph) {
    for (const FlatStep& step : graph.steps) {
        if (step.op.valid()) continue;
        kept_.push_back({step.expr, step.function, step.output_count});
        for (uint32_t k = 0; k < step.output_count; ++k) graph.outputs.push_back(step.first_output + k);
    }
}

bool KeptRegions::observe(FlatGraph& written_out) const {
    // A call in a function that was inlined several times occurs several times here, always in the same order.
    std::unordered_map<ExprId, std::deque<std::vector<ValueId>>> made;
    for (const FlatRegion& region : written_out.regions) made[region.call].push_back(region.outputs);
    for (const FlatStep& step : written_out.steps) {
        if (step.op.valid()) continue;
        std::vector<ValueId>& values = made[step.expr].emplace_back(step.output_count);
        std::iota(values.begin(), values.end(), step.first_output);
    }
    for (const Kept& region : kept_) {
        std::deque<std::vector<ValueId>>& values = made[region.call];
        if (values.empty() || values.front().size() != region.count) return false;
        written_out.observed.insert(written_out.observed.end(), values.front().begin(), values.front().end());
        values.pop_front();
    }
    return true;
}

void KeptRegions::split(RunReport& report, RegionTable& regions) const {
    size_t kept = 0;
    for (const Kept& region : kept_) kept += region.count;
    size_t next = report.outputs.size() - kept;
    for (const Kept& region : kept_) {
        const Region& ran = *regions.find(region.function);
        RegionOutputs outputs{region.call, ran.report.name, {}, {}};
        for (uint32_t k = 0; k < region.count; ++k) outputs.outputs.push_back(report.outputs[next++]);
        if (ran.beside_default) outputs.own_outputs = ran.beside_default->take_outputs();
        report.region_outputs.push_back(std::move(outputs));
    }
    report.outputs.resize(report.outputs.size() - kept);
}

}  // namespace partita
