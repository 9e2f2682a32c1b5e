// Statistics of several measurements.
#pragma once

#include <span>

#include "engine/runtime/run.h"

namespace partita {

/// Returns median, minimum and interquartile range (quartiles by linear interpolation), and the medians of parts. Zero
/// if there are no samples.
Timing summarize_times(std::span<const double> milliseconds);

}  // namespace partita
