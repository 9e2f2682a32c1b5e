#include "engine/session/reported_run.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "engine/flow/flow_choice.h"
#include "engine/flow/names.h"
#include "engine/flow/reported_division.h"
#include "engine/ops/cost.h"
#include "engine/session/report_readers.h"
#include "engine/session/reports.h"
#include "engine/session/session.h"
#include "engine/support/in_file.h"

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

/// Returns the calls that were timed together, by the one that bears their time.
std::map<ExprId, std::vector<uint32_t>> members_of(const ReportedDivision& reported,
                                                   const std::unordered_map<const ReportedNode*, ExprId>& bearer,
                                                   const ExpressionNames& names, const Module& module) {
    std::map<int32_t, const ReportedNode*> longest;  // by row
    for (const ReportedNode& node : reported.nodes)
        if (const ReportedNode*& found = longest.try_emplace(node.row, nullptr).first->second;
            node.row >= 0 && bearer.contains(&node) && (!found || node.time_us > found->time_us))
            found = &node;
    std::map<ExprId, std::vector<uint32_t>> members;
    for (ExprId call : names.calls()) {
        const ReportedNode* node = reported.find(module, call);
        if (node && node->row >= 0) node = longest[node->row];
        if (const auto bears = bearer.find(node); node && bears != bearer.end())
            members[bears->second].push_back(names.number(call));
    }
    std::erase_if(members, [](const auto& part) { return part.second.size() < 2; });
    return members;
}

}  // namespace

RunReport reported_run(const FlowResult& flow) {
    RunReport report;
    if (!flow.reported) return report;
    const ReportedDivision& reported = *flow.reported;
    const ExpressionNames names(*flow.input);
    const std::unordered_map<const ReportedNode*, ExprId> bearer = bearers(flow, names);
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
    const std::map<ExprId, std::vector<uint32_t>> members = members_of(reported, bearer, names, *flow.input);
    double whole = 0;
    for (const auto& [node, call] : bearer) {
        RegionTiming& region = report.regions[size_t(flow.region_of[call.value] + 1)];
        OpTiming op;
        op.expr = op.origin = call;
        op.name = names.callee(call);
        op.time = timing_of(node->time_us / reported.runs, reported.runs);
        op.flops = call_flops(*flow.input, call);
        if (const auto all = members.find(call); all != members.end()) op.members = all->second;
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

Result<RunRecord> load_run_of(const OpenedInput& opened, const std::string& path) {
    if (!is_report_file(path)) return load_run(path);
    const Result<std::shared_ptr<const Reports>> reports = read_reports(opened, {path});
    if (!reports) return reports.error();
    const ReportedPtr& reported = (*reports)->reported;
    if (!reported->has_times) return in_file(error("it has no times"), path);
    FlowChoice choice;
    choose_reported(choice, reported);
    Result<FlowResult> flow = run_flow(opened.module, flow_options(choice, false, CancelToken()));
    if (!flow) return flow.error();
    RunRecord record;
    record.title = path.substr(path.rfind('/') + 1);
    for (const std::string& backend : reported->backends)
        record.backends += (record.backends.empty() ? "" : ",") + backend;
    record.model = model_key(*opened.module);
    record.report = reported_run(*flow);
    return record;
}

}  // namespace partita
