#include "engine/runtime/trace.h"
#include "engine/support/json_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace partita {

namespace {

using nlohmann::json;

/// Rows of the trace.
constexpr int kCompileRow = 0, kRegionRow = 1, kOpRow = 2, kFirstThreadRow = 1000;

const char* category(TraceEvent::Kind kind) {
    switch (kind) {
        case TraceEvent::Kind::Region: return "region";
        case TraceEvent::Kind::Op: return "op";
        case TraceEvent::Kind::LayoutChange: return "layout";
        case TraceEvent::Kind::Copy: return "copy";
    }
    return "";
}

json complete_event(const std::string& name, const char* category, double start_ms, double duration_ms, int row) {
    return {{"name", name}, {"cat", category}, {"ph", "X"}, {"ts", start_ms * 1000}, {"dur", duration_ms * 1000},
            {"pid", 1},     {"tid", row}};
}

json row_name(int row, const std::string& name) {
    return {{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", row}, {"args", {{"name", name}}}};
}

json named(const RegionTiming& region) {
    json arguments{{"region", region.name}, {"executed_by", region.executed_by}};
    if (!region.short_name.empty()) arguments["region_short_name"] = region.short_name;
    return arguments;
}

json row_names(const RunReport& report) {
    int threads = 0;
    for (const ThreadSpan& span : report.thread_spans) threads = std::max(threads, span.thread + 1);
    json names =
        json::array({row_name(kCompileRow, "compile"), row_name(kRegionRow, "regions"), row_name(kOpRow, "operators")});
    for (int thread = 0; thread < threads; ++thread)
        names.push_back(row_name(kFirstThreadRow + thread, "thread " + std::to_string(thread)));
    return names;
}

}  // namespace

std::string chrome_trace(const RunReport& report, const std::function<uint32_t(ExprId)>& number) {
    json events = row_names(report);
    double at = 0;
    for (const RegionTiming& region : report.regions) {
        if (region.compile_ms <= 0) continue;
        json event = complete_event("compile " + region.shown(), "compile", at, region.compile_ms, kCompileRow);
        event["args"] = named(region);
        event["args"].update({{"backend", region.backend}, {"notice", region.notice}});
        events.push_back(std::move(event));
        at += region.compile_ms;
    }
    for (const TraceEvent& event : report.trace) {
        int row = event.kind == TraceEvent::Kind::Region ? kRegionRow : kOpRow;
        json made = complete_event(event.name, category(event.kind), at + event.start_ms, event.duration_ms, row);
        if (event.region >= 0 && size_t(event.region) < report.regions.size())
            made["args"] = named(report.regions[size_t(event.region)]);
        if (const uint32_t call = number && event.origin.valid() ? number(event.origin) : 0)
            made["args"]["number"] = call;
        events.push_back(std::move(made));
    }
    for (const ThreadSpan& span : report.thread_spans)
        events.push_back(
            complete_event("busy", "thread", at + span.start_ms, span.duration_ms, kFirstThreadRow + span.thread));
    json document{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
    // Names come from files and need not be UTF-8.
    return json_text(document, -1, JsonLetters::Ascii);
}

}  // namespace partita
