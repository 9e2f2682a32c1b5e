// What several measurements of one thing come to.
#pragma once

#include <span>

#include "engine/runtime/run.h"

namespace partita {

/// Median, minimum and interquartile range (quartiles by linear interpolation). Zero where there are no samples.
Timing summarize_times(std::span<const double> milliseconds);

}  // namespace partita
