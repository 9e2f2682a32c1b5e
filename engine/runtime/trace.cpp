#include "engine/runtime/trace.h"

#include <nlohmann/json.hpp>

namespace partita {

namespace {

using nlohmann::json;

enum Row { kCompile = 0, kRegions = 1, kOps = 2 };

json complete_event(const std::string& name, const char* category, double start_ms, double duration_ms, int row) {
    return {{"name", name}, {"cat", category}, {"ph", "X"}, {"ts", start_ms * 1000}, {"dur", duration_ms * 1000}, {"pid", 1}, {"tid", row}};
}

json row_name(int row, const char* name) {
    return {{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", row}, {"args", {{"name", name}}}};
}

}  // namespace

std::string chrome_trace(const RunReport& report) {
    json events = json::array({row_name(kCompile, "compile"), row_name(kRegions, "regions"), row_name(kOps, "operators")});
    double at = 0;
    for (const RegionTiming& region : report.regions) {
        if (region.compile_ms <= 0) continue;
        json event = complete_event("compile " + region.name, "compile", at, region.compile_ms, kCompile);
        event["args"] = {{"backend", region.backend}, {"executed_by", region.executed_by}, {"notice", region.notice}};
        events.push_back(std::move(event));
        at += region.compile_ms;
    }
    for (const TraceEvent& event : report.trace) {
        json made = complete_event(event.name, event.is_op ? "op" : "region", at + event.start_ms, event.duration_ms, event.is_op ? kOps : kRegions);
        if (event.region >= 0 && size_t(event.region) < report.regions.size()) {
            const RegionTiming& region = report.regions[size_t(event.region)];
            made["args"] = {{"region", region.name}, {"executed_by", region.executed_by}};
        }
        events.push_back(std::move(made));
    }
    json document{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
    // Names come from files and need not be UTF-8.
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace partita
