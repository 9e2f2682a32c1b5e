#include "engine/support/amount.h"

#include <array>
#include <cmath>
#include <utility>

#include "engine/support/number_text.h"

namespace partita {

ScaledAmount scaled(double amount) {
    constexpr std::array<const char*, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
    size_t step = 0;
    while (std::abs(amount) >= 1000 && step + 1 < kPrefixes.size()) {
        amount /= 1000;
        ++step;
    }
    const int decimals = step == 0 ? 0 : std::abs(amount) < 100 ? 2 : 1;
    return {amount, decimals, kPrefixes[step]};
}

ScaledTime scaled_time(double milliseconds) {
    constexpr std::array<std::pair<double, const char*>, 4> kUnits{{{1e-6, "ns"}, {1e-3, "µs"}, {1, "ms"}, {1e3, "s"}}};
    if (milliseconds == 0) return {0, 0, "ms"};
    const double size = std::abs(milliseconds);
    size_t unit = 0;
    // 999.7 µs would be written as 1000 µs.
    while (unit + 1 < kUnits.size() && size >= kUnits[unit + 1].first * 0.9995) ++unit;
    const double value = milliseconds / kUnits[unit].first;
    const int decimals = std::abs(value) < 9.995 ? 2 : std::abs(value) < 99.95 ? 1 : 0;
    return {value, decimals, kUnits[unit].second};
}

std::string time_text(double milliseconds) {
    const ScaledTime shown = scaled_time(milliseconds);
    return fixed_text(shown.value, shown.decimals) + " " + shown.unit;
}

std::string amount_text(double amount, std::string_view unit) {
    const ScaledAmount shown = scaled(amount);
    const std::string number = fixed_text(shown.value, shown.decimals);
    const std::string suffix = shown.prefix + std::string(unit);
    return suffix.empty() ? number : number + " " + suffix;
}

}  // namespace partita
