#include "engine/support/amount.h"

#include <array>
#include <cmath>

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

std::string amount_text(double amount, std::string_view unit) {
    const ScaledAmount shown = scaled(amount);
    const std::string number = fixed_text(shown.value, shown.decimals);
    const std::string suffix = shown.prefix + std::string(unit);
    return suffix.empty() ? number : number + " " + suffix;
}

}  // namespace partita
