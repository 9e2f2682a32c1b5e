// Functions that the C of an operator may call and that the language lacks.
#pragma once

#include <string>
#include <string_view>

namespace partita {

/// Returns those that a text calls; they may stand in a file several times, as regions may share one.
inline std::string c_helpers(std::string_view text) {
    if (text.find("integer_power(") == std::string_view::npos) return "";
    return "#ifndef INTEGER_POWER\n#define INTEGER_POWER\n"
           "static uint64_t integer_power(uint64_t base, uint64_t exponent, int negative)\n{\n"
           "    uint64_t result = 1;\n"
           "    if (negative)\n"
           "        return base == 1 || (base == UINT64_MAX && exponent % 2 == 0) ? 1 : base == UINT64_MAX ? base : "
           "0;\n"
           "    for (; exponent; exponent >>= 1, base *= base)\n"
           "        if (exponent & 1) result *= base;\n"
           "    return result;\n}\n#endif\n\n";
}

}  // namespace partita
