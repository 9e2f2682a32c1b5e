// Patterns of names with * and ?.
#pragma once

#include <string_view>

namespace partita {

/// Returns whether a text matches a pattern with `*` (any characters) and `?` (one). Linear in both for one star.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace partita
