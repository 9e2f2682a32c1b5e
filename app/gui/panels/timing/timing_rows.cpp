#include "app/gui/panels/timing/timing_rows.h"

#include <algorithm>
#include <numeric>

#include <QCoreApplication>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(partita::TimingRows)
};

QString bar_tip(const QString& name, double milliseconds, const QString& more = {}) {
    return more.isEmpty() ? QStringLiteral("%1: %2").arg(name, time_text(milliseconds))
                          : QStringLiteral("%1: %2\n%3").arg(name, time_text(milliseconds), more);
}

QString region_words(const RunReport& report, int region) {
    if (region < 0 || size_t(region) >= report.regions.size()) return {};
    const RegionTiming& timing = report.regions[size_t(region)];
    return Words::tr("%1, executed by %2").arg(shown_name(timing.name), shown_name(timing.executed_by));
}

TimingBarItem::Look look_of(TraceEvent::Kind kind) {
    switch (kind) {
        case TraceEvent::Kind::Region: return TimingBarItem::Look::Region;
        case TraceEvent::Kind::Op: return TimingBarItem::Look::Op;
        default: return TimingBarItem::Look::Extra;
    }
}

QString name_of(const TraceEvent& event) {
    if (event.kind == TraceEvent::Kind::LayoutChange) return Words::tr("change of layout");
    if (event.kind == TraceEvent::Kind::Copy) return Words::tr("copy over the border");
    return shown_name(event.name);
}

void sort_rows(TimingRows& rows) {
    for (TimingRow& row : rows.rows)
        std::stable_sort(row.bars.begin(), row.bars.end(), [](const TimingBarItem& a, const TimingBarItem& b) { return a.start < b.start; });
}

/// Whether an event lies in no region: an operator that stayed in @main, a copy of an output.
bool stands_alone(const TraceEvent& event, const RunReport& report) {
    if (event.region < 0 || size_t(event.region) >= report.regions.size()) return true;
    return event.region == 0 && report.regions[0].backend == "default";
}

/// Threads that belong to a backend's own library leave no spans: where other threads may have worked, that is said.
void mark_unknown_threads(TimingRows& rows, const RunReport& report, size_t first_thread_row) {
    for (const TraceEvent& event : report.trace) {
        const bool foreign = event.kind == TraceEvent::Kind::Region && event.region >= 0 && size_t(event.region) < report.regions.size() &&
                             report.regions[size_t(event.region)].executed_by != "default";
        if (!foreign) continue;
        for (size_t row = first_thread_row + 1; row < rows.rows.size(); ++row)
            rows.rows[row].bars.push_back({event.start_ms, event.duration_ms, {}, Words::tr("Threads of the backend's own library are not measured"),
                                           event.region, {}, TimingBarItem::Look::Unknown});
    }
}

std::vector<size_t> longest_first(size_t count, const std::function<double(size_t)>& time) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return time(a) > time(b); });
    return order;
}

}  // namespace

QString time_text(double milliseconds) {
    if (milliseconds < 0.1) return Words::tr("%1 µs").arg(number_text(milliseconds * 1000, milliseconds < 0.01 ? 2 : 1));
    return Words::tr("%1 ms").arg(number_text(milliseconds, 3));
}

TimingRows timeline_of(const RunReport& report) {
    TimingRows rows;
    int lanes = report.trace.empty() ? 0 : 1;
    for (const TraceEvent& event : report.trace) lanes = std::max(lanes, event.lane + 1);
    for (int lane = 0; lane < lanes; ++lane) {
        rows.rows.push_back({lanes > 1 ? Words::tr("Regions, lane %1").arg(lane + 1) : Words::tr("Regions"), {}});
        rows.rows.push_back({lanes > 1 ? Words::tr("Operators, lane %1").arg(lane + 1) : Words::tr("Operators"), {}});
    }
    for (const TraceEvent& event : report.trace) {
        const size_t row = 2 * size_t(event.lane) + (event.kind == TraceEvent::Kind::Region ? 0 : 1);
        const QString name = name_of(event);
        rows.rows[row].bars.push_back({event.start_ms, event.duration_ms, name, bar_tip(name, event.duration_ms, region_words(report, event.region)),
                                       event.region, event.origin, look_of(event.kind)});
        rows.duration = std::max(rows.duration, event.start_ms + event.duration_ms);
    }
    if (!report.trace.empty()) {
        const size_t first = rows.rows.size();
        for (int thread = 0; thread < std::max(report.threads, 1); ++thread) rows.rows.push_back({Words::tr("Thread %1").arg(thread + 1), {}});
        // The first thread runs the module; what it shares with others are parts of that.
        for (const TraceEvent& event : report.trace)
            if (event.kind == TraceEvent::Kind::Region || stands_alone(event, report))
                rows.rows[first].bars.push_back({event.start_ms, event.duration_ms, {}, bar_tip(name_of(event), event.duration_ms), event.region, event.origin,
                                                 TimingBarItem::Look::Thread});
        for (const ThreadSpan& span : report.thread_spans)
            if (span.thread > 0 && first + size_t(span.thread) < rows.rows.size())
                rows.rows[first + size_t(span.thread)].bars.push_back({span.start_ms, span.duration_ms, {}, bar_tip(Words::tr("busy"), span.duration_ms), -1, {},
                                                                       TimingBarItem::Look::Thread});
        mark_unknown_threads(rows, report, first);
    }
    sort_rows(rows);
    return rows;
}

TimingRows flame_of(const RunReport& report) {
    TimingRows rows;
    for (const RegionTiming& region : report.regions) rows.duration += region.time.median;
    rows.rows = {{Words::tr("Run"), {}}, {Words::tr("Regions"), {}}, {Words::tr("Operators"), {}}};
    const QString whole = Words::tr("whole run");
    rows.rows[0].bars.push_back({0, rows.duration, whole, bar_tip(whole, report.time.median), -1, {}, TimingBarItem::Look::Thread});
    double start = 0;
    for (size_t index : longest_first(report.regions.size(), [&](size_t i) { return report.regions[i].time.median; })) {
        const RegionTiming& region = report.regions[index];
        const QString name = shown_name(region.name);
        rows.rows[1].bars.push_back({start, region.time.median, name, bar_tip(name, region.time.median, region_words(report, int(index))), int(index), {},
                                     TimingBarItem::Look::Region});
        double inside = start;
        for (size_t op : longest_first(region.ops.size(), [&](size_t i) { return region.ops[i].time.median; })) {
            const OpTiming& timing = region.ops[op];
            const QString op_name = shown_name(timing.name);
            // Medians of parts need not add up to the median of the whole.
            const double duration = std::min(timing.time.median, std::max(start + region.time.median - inside, 0.0));
            rows.rows[2].bars.push_back({inside, duration, op_name, bar_tip(op_name, timing.time.median, region_words(report, int(index))), int(index),
                                         timing.origin, TimingBarItem::Look::Op});
            inside += duration;
        }
        start += region.time.median;
    }
    return rows;
}

}  // namespace partita
