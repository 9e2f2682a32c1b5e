#include "engine/support/number_text.h"

#include <locale.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace partita {
namespace {

/// Room for the longest text: a number of 309 digits with the decimals that a caller asks for.
using NumberRoom = std::array<char, 512>;

template <class Real, class... Form>
std::string number_in(Real value, Form... form) {
    NumberRoom room;
    const auto written = std::to_chars(room.data(), room.data() + room.size(), value, form...);
    return {room.data(), written.ptr};
}

}  // namespace

std::string general_text(double value, int digits) { return number_in(value, std::chars_format::general, digits); }

std::string fixed_text(double value, int decimals) { return number_in(value, std::chars_format::fixed, decimals); }

std::string exact_text(double value) {
    std::string text = number_in(std::abs(value), std::chars_format::hex);
    if (std::isfinite(value)) text.insert(0, "0x");
    return std::signbit(value) ? "-" + text : text;
}

double fewest_digits(float value) { return std::isfinite(value) ? number_at_start(number_in(value)) : double(value); }

double number_at_start(const std::string& text) {
    // Made once and kept: other threads may still read numbers when the program ends.
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    return strtod_l(text.c_str(), nullptr, plain);
}

}  // namespace partita
