// A run as rows of bars over time: the timeline (lanes and threads), and the flame (run > region > operator). Plain
// computing on a RunReport; TimingRowsView paints it. Linear in the number of events, but for sorting.
#pragma once

#include <vector>

#include <QString>

#include "engine/session/session.h"

namespace partita {

struct TimingBarItem {
    double start = 0, duration = 0;  ///< milliseconds
    QString name, tip;
    int region = -1;  ///< index into the report's regions; -1: none
    ExprId origin;    ///< of an operator; may be invalid
    enum class Look : uint8_t { Region, Op, Extra, Thread, Unknown } look = Look::Region;
};

struct TimingRow {
    QString name;
    std::vector<TimingBarItem> bars;  ///< by start, not overlapping
};

struct TimingRows {
    std::vector<TimingRow> rows;
    double duration = 0;  ///< milliseconds
};

/// The last run as it went: for each lane a row of regions and one of what is inside them, then a row for each thread.
TimingRows timeline_of(const RunReport& report);
/// Medians: the whole run, below it the regions, longest first, below each its operators, longest first.
TimingRows flame_of(const RunReport& report);

/// "12.3 µs", "4.567 ms"
QString time_text(double milliseconds);

}  // namespace partita
