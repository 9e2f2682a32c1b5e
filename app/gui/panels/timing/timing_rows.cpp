#include "app/gui/panels/timing/timing_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QCoreApplication>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

using Look = TimingBarItem::Look;
using Source = TimingBarItem::Source;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(partita::TimingRows)
};

QString bar_tip(const QString& name, double milliseconds, const QString& more = {}) {
    return more.isEmpty() ? QStringLiteral("%1: %2").arg(name, duration_text(milliseconds))
                          : QStringLiteral("%1: %2\n%3").arg(name, duration_text(milliseconds), more);
}

QString region_words(const RunReport& report, int region) {
    if (region < 0 || size_t(region) >= report.regions.size()) return {};
    const RegionTiming& timing = report.regions[size_t(region)];
    return Words::tr("%1, executed by %2").arg(shown_name(timing.shown()), shown_name(timing.executed_by));
}

Look look_of(TraceEvent::Kind kind) {
    switch (kind) {
        case TraceEvent::Kind::Region: return Look::Region;
        case TraceEvent::Kind::Op: return Look::Op;
        default: return Look::Extra;
    }
}

QString name_of(const TraceEvent& event) {
    if (event.kind == TraceEvent::Kind::LayoutChange) return Words::tr("change of layout");
    if (event.kind == TraceEvent::Kind::Copy) return Words::tr("copy over the border");
    return shown_name(event.name);
}

void sort_bars(TimingRows& rows) {
    for (TimingRow& row : rows.rows)
        std::stable_sort(row.bars.begin(), row.bars.end(),
                         [](const TimingBarItem& a, const TimingBarItem& b) { return a.start < b.start; });
}

/// Whether an event lies in no region: an operator that stayed in @main, a copy of an output.
bool stands_alone(const TraceEvent& event, const RunReport& report) {
    if (event.region < 0 || size_t(event.region) >= report.regions.size()) return true;
    return event.region == 0 && report.regions[0].backend == "default";
}

/// Threads that belong to a backend's own library leave no spans: where other threads may have worked, that is said.
void mark_unknown_threads(TimingRows& rows, const RunReport& report, size_t first_thread_row) {
    for (const TraceEvent& event : report.trace) {
        const bool foreign = event.kind == TraceEvent::Kind::Region && event.region >= 0 &&
                             size_t(event.region) < report.regions.size() &&
                             report.regions[size_t(event.region)].executed_by != "default";
        if (!foreign) continue;
        for (size_t row = first_thread_row + 1; row < rows.rows.size(); ++row)
            rows.rows[row].bars.push_back(
                {event.start_ms, event.duration_ms, event.region, {}, Look::Unknown, Source::Event, 0});
    }
}

/// The first thread runs the module; what it shares with others are parts of that.
void add_threads(TimingRows& rows) {
    const RunReport& report = *rows.report;
    const size_t first = rows.rows.size();
    for (int thread = 0; thread < std::max(report.threads, 1); ++thread)
        rows.rows.push_back({Words::tr("Thread %1").arg(thread + 1), {}});
    for (uint32_t i = 0; i < report.trace.size(); ++i) {
        const TraceEvent& event = report.trace[i];
        if (event.kind == TraceEvent::Kind::Region || stands_alone(event, report))
            rows.rows[first].bars.push_back(
                {event.start_ms, event.duration_ms, event.region, event.origin, Look::Thread, Source::Event, i});
    }
    for (uint32_t i = 0; i < report.thread_spans.size(); ++i) {
        const ThreadSpan& span = report.thread_spans[i];
        if (span.thread > 0 && first + size_t(span.thread) < rows.rows.size())
            rows.rows[first + size_t(span.thread)].bars.push_back(
                {span.start_ms, span.duration_ms, -1, {}, Look::Thread, Source::Span, i});
    }
    mark_unknown_threads(rows, report, first);
}

template <class Timed>
std::vector<uint32_t> longest_first(const std::vector<Timed>& timed) {
    std::vector<uint32_t> order(timed.size());
    std::iota(order.begin(), order.end(), uint32_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return timed[a].time.median > timed[b].time.median; });
    return order;
}

}  // namespace

QString shown_operator(const OpTiming& op) {
    return op.number ? QStringLiteral("%1 #%2").arg(shown_name(op.name)).arg(op.number) : shown_name(op.name);
}

QString tick_text(double milliseconds, double step, double length) {
    if (milliseconds == 0) return QStringLiteral("0");
    const bool micro = length < 1;
    const double unit = micro ? 1000 : 1;
    const int decimals = std::max(0, -int(std::floor(std::log10(step * unit) + 1e-9)));
    const QString number = number_text(milliseconds * unit, decimals);
    return micro ? Words::tr("%1 µs").arg(number) : Words::tr("%1 ms").arg(number);
}

QString TimingRows::name(const TimingBarItem& bar) const {
    if (bar.look == Look::Unknown || (bar.look == Look::Thread && bar.source != Source::Run)) return {};
    switch (bar.source) {
        case Source::Run: return Words::tr("whole run");
        case Source::Region: return shown_name(report->regions[size_t(bar.region)].shown());
        case Source::Op: return shown_operator(report->regions[size_t(bar.region)].ops[bar.index]);
        case Source::Event: return name_of(report->trace[bar.index]);
        case Source::Span: return {};
    }
    return {};
}

QString TimingRows::tip(const TimingBarItem& bar) const {
    if (bar.look == Look::Unknown) return Words::tr("Threads of the backend's own library are not measured");
    const QString more = bar.look == Look::Thread ? QString() : region_words(*report, bar.region);
    switch (bar.source) {
        case Source::Run: return bar_tip(name(bar), report->time.median);
        case Source::Region: return bar_tip(name(bar), bar.duration, more);
        // In the flame a bar may be cut: medians of parts need not add up to the median of the whole.
        case Source::Op:
            return bar_tip(name(bar), report->regions[size_t(bar.region)].ops[bar.index].time.median, more);
        case Source::Event: return bar_tip(name_of(report->trace[bar.index]), bar.duration, more);
        case Source::Span: return bar_tip(Words::tr("busy"), bar.duration);
    }
    return {};
}

TimingRows timeline_of(std::shared_ptr<const RunReport> of) {
    const RunReport& report = *of;
    TimingRows rows;
    rows.report = std::move(of);
    if (!report.trace.empty()) rows.rows = {{Words::tr("Regions"), {}}, {Words::tr("Operators"), {}}};
    for (uint32_t i = 0; i < report.trace.size(); ++i) {
        const TraceEvent& event = report.trace[i];
        const size_t row = event.kind == TraceEvent::Kind::Region ? 0 : 1;
        rows.rows[row].bars.push_back(
            {event.start_ms, event.duration_ms, event.region, event.origin, look_of(event.kind), Source::Event, i});
        rows.duration = std::max(rows.duration, event.start_ms + event.duration_ms);
    }
    if (!report.trace.empty()) add_threads(rows);
    sort_bars(rows);
    return rows;
}

TimingRows flame_of(std::shared_ptr<const RunReport> of) {
    const RunReport& report = *of;
    TimingRows rows;
    rows.report = std::move(of);
    for (const RegionTiming& region : report.regions) rows.duration += region.time.median;
    rows.rows = {{Words::tr("Run"), {}}, {Words::tr("Regions"), {}}, {Words::tr("Operators"), {}}};
    rows.rows[0].bars.push_back({0, rows.duration, -1, {}, Look::Thread, Source::Run, 0});
    double start = 0;
    for (uint32_t index : longest_first(report.regions)) {
        const RegionTiming& region = report.regions[index];
        rows.rows[1].bars.push_back({start, region.time.median, int(index), {}, Look::Region, Source::Region, 0});
        double inside = start;
        for (uint32_t op : longest_first(region.ops)) {
            // Medians of parts need not add up to the median of the whole.
            const double duration =
                std::min(region.ops[op].time.median, std::max(start + region.time.median - inside, 0.0));
            rows.rows[2].bars.push_back(
                {inside, duration, int(index), region.ops[op].origin, Look::Op, Source::Op, op});
            inside += duration;
        }
        start += region.time.median;
    }
    return rows;
}

}  // namespace partita
