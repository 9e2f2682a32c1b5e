// Figures in the window, as its reader writes them: with the decimal sign of the default locale, without groups of
// thousands. What leaves the window for another program (CSV, JSON, reports) is written by the engine, with points.
#pragma once

#include <QString>

namespace partita {

/// "12,50" or "12.50".
QString number_text(double value, int decimals);
/// With so many digits that count: "1,2e-05".
QString significant_text(double value, int digits);
/// "33,3 %", in one piece.
QString percent_text(double fraction, int decimals = 1);
/// "1,54 kB".
QString bytes_text(double bytes);
/// Of milliseconds: "2,90 µs", "12,5 ms".
QString duration_text(double milliseconds);
/// "13,52 MFLOP".
QString work_text(double flops);

}  // namespace partita
