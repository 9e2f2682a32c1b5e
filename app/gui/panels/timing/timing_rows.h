// A run as rows of bars over time: the timeline (regions, operators, threads), and the flame (run > region > operator).
// Plain computing on a RunReport, for a worker; TimingRowsView paints it. Linear in the number of events, but for
// sorting. There may be a million bars: their words are made when they are shown.
#pragma once

#include <memory>
#include <vector>

#include <QString>

#include "engine/session/session.h"

namespace partita {

struct TimingBarItem {
    double start = 0, duration = 0;  ///< milliseconds
    int region = -1;                 ///< index into the report's regions; -1: none
    ExprId origin;                   ///< of an operator; may be invalid
    enum class Look : uint8_t { Region, Op, Extra, Thread, Unknown } look = Look::Region;
    enum class Source : uint8_t { Run, Region, Op, Event, Span } source = Source::Run;
    uint32_t index = 0;  ///< of the operator in its region, or of the event, or of the thread's span
};

struct TimingRow {
    QString name;
    std::vector<TimingBarItem> bars;  ///< by start, not overlapping
};

struct TimingRows {
    std::vector<TimingRow> rows;
    double duration = 0;                      ///< milliseconds
    std::shared_ptr<const RunReport> report;  ///< what bars are named after; null without rows

    /// What stands in the bar; "" for those of threads.
    QString name(const TimingBarItem& bar) const;
    QString tip(const TimingBarItem& bar) const;
};

/// The last run as it went: a row of regions and one of what is inside them, then a row for each thread.
TimingRows timeline_of(std::shared_ptr<const RunReport> report);
/// Medians: the whole run, below it the regions, longest first, below each its operators, longest first.
TimingRows flame_of(std::shared_ptr<const RunReport> report);

/// "nn.conv2d #12"
QString shown_operator(const OpTiming& op);

/// On an axis of that length with ticks `step` apart, all in one unit and with no more decimals than they need: "2 ms".
QString tick_text(double milliseconds, double step, double length);

}  // namespace partita
