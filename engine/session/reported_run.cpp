#include "engine/session/reported_run.h"

#include <algorithm>
#include <unordered_map>

#include "engine/flow/names.h"
#include "engine/flow/reported_division.h"
#include "engine/ops/cost.h"
#include "engine/session/session.h"

namespace partita {

namespace {

Timing timing_of(double us, int samples) {
    Timing timing;
    timing.median = timing.minimum = us / 1000;
    timing.samples = samples;
    return timing;
}

/// Returns, for each node of the report with a time, the call that bears it.
std::unordered_map<const ReportedNode*, ExprId> bearers(const FlowResult& flow, const ExpressionNames& names) {
    std::unordered_map<const ReportedNode*, ExprId> bearer;
    for (ExprId call : names.calls()) {
        const ReportedNode* node = flow.reported->find(*flow.input, call);
        if (!node || node->time_us < 0) continue;
        const auto [found, is_new] = bearer.try_emplace(node, call);
        if (!is_new && call_flops(*flow.input, call) >= call_flops(*flow.input, found->second)) found->second = call;
    }
    return bearer;
}

}  // namespace

RunReport reported_run(const FlowResult& flow) {
    RunReport report;
    if (!flow.reported) return report;
    const ReportedDivision& reported = *flow.reported;
    const ExpressionNames names(*flow.input);
    report.repeat = reported.runs;
    report.regions.resize(1 + flow.regions.size());
    report.regions[0].name = report.regions[0].backend = "default";
    for (size_t i = 0; i < flow.regions.size(); ++i) {
        RegionTiming& region = report.regions[i + 1];
        region.name = flow.regions[i].function;
        region.backend = flow.regions[i].backend_name;
        region.executed_by = reported.program;
        region.flops = flow.regions[i].flops;
        region.bytes = flow.regions[i].boundary_bytes;
    }
    report.regions[0].executed_by = reported.program;
    double whole = 0;
    for (const auto& [node, call] : bearers(flow, names)) {
        RegionTiming& region = report.regions[size_t(flow.region_of[call.value] + 1)];
        OpTiming op;
        op.expr = op.origin = call;
        op.name = names.callee(call);
        op.time = timing_of(node->time_us / reported.runs, reported.runs);
        op.flops = call_flops(*flow.input, call);
        region.ops.push_back(std::move(op));
        whole += node->time_us;
    }
    for (RegionTiming& region : report.regions) {
        std::sort(region.ops.begin(), region.ops.end(),
                  [](const OpTiming& a, const OpTiming& b) { return a.expr < b.expr; });
        double sum = 0;
        for (const OpTiming& op : region.ops) sum += op.time.median * 1000;
        region.time = timing_of(sum, reported.runs);
        region.calls = int(region.ops.size());
    }
    report.time = timing_of(whole / reported.runs, reported.runs);
    number_operators(report, *flow.input, &flow);
    return report;
}

}  // namespace partita
