#include "engine/support/amount.h"

#include <array>
#include <cmath>
#include <cstdio>

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

std::string amount_text(double amount, std::string_view unit) {
    const ScaledAmount shown = scaled(amount);
    std::array<char, 400> number;  // the largest double has 309 digits
    std::snprintf(number.data(), number.size(), "%.*f", shown.decimals, shown.value);
    const std::string suffix = shown.prefix + std::string(unit);
    return suffix.empty() ? number.data() : number.data() + (" " + suffix);
}

}  // namespace partita
