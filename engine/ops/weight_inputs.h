// Which inputs of operators hold weights, by their names and places.
#pragma once

#include <cstddef>
#include <string_view>

namespace partita {

/// Returns whether operators call an input by this name if it is trained, not computed.
bool is_weight_name(std::string_view input);
/// In functions with more parameters than this, all arguments but the first that are parameters count as weights.
inline constexpr size_t kFewParameters = 8;

}  // namespace partita
