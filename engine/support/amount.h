// Numbers for people: powers of ten with a prefix, the same in the window and on the command line.
#pragma once

#include <string>
#include <string_view>

namespace partita {

/// 13520000 is {13.52, 2, "M"}.
struct ScaledAmount {
    double value = 0;
    int decimals = 0;
    const char* prefix = "";
};

/// Scales a number to the largest prefix that leaves at least 1 before the decimal point.
ScaledAmount scaled(double amount);
/// A time: 0.0029 ms is {2.9, 2, "µs"}.
struct ScaledTime {
    double value = 0;
    int decimals = 0;
    const char* unit = "";
};

/// Scales a time to the unit that leaves at least 1 before the decimal point, with three digits that count.
ScaledTime scaled_time(double milliseconds);
/// Returns 0.0029 as "2.90 µs", 12.5 as "12.5 ms".
std::string time_text(double milliseconds);
/// Returns 13520000 as "13.52 M"; with the unit "B" as "13.52 MB".
std::string amount_text(double amount, std::string_view unit = {});

}  // namespace partita
