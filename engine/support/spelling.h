// "Did you mean": the known word nearest to a misspelt one.
#pragma once

#include <span>
#include <string_view>

namespace partita {

/// Returns the candidate with the smallest Levenshtein distance, or "" if that is over a third of the word's length.
/// Costs the product of the lengths for each candidate; for error messages.
std::string_view nearest_spelling(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace partita
