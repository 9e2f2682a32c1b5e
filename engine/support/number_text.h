// Real numbers as text, the same on every desktop. printf and strtod write and read a decimal comma where the user's
// locale has one, which no model file, C source or report may have.
#pragma once

#include <string>
#include <string_view>

namespace partita {

/// Returns what printf writes for "%.{digits}g" in the C locale.
std::string general_text(double value, int digits = 6);

/// Returns what printf writes for "%.{decimals}f" in the C locale.
std::string fixed_text(double value, int decimals);

/// Returns what printf writes for "%a": every bit of the value, as C reads it.
std::string exact_text(double value);

/// Returns the number with the fewest digits that is `value` when it is rounded to float32: 1e-05 for the float beside
/// it, which is 9.999999747378752e-06.
double fewest_digits(float value);

/// Returns the number that `text` begins with, as strtod reads it in the C locale: 0 where there is none, infinite
/// where it is too large.
double number_at_start(const std::string& text);

}  // namespace partita
