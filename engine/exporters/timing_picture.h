// Pictures of a run for reports, as SVG 1.1 without scripts, styles or links: bars of the regions' times, the run as a
// timeline, and the roofline. Linear in what they show. Each shows a bounded number of items and states how many it
// omits.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/runtime/machine.h"
#include "engine/runtime/run.h"

namespace partita {

/// Returns bars of the regions' times. `backends`: names in the order of their colours.
std::string time_bars_svg(const RunReport& run, std::span<const std::string> backends);
/// Returns the timeline; "" if the run has no trace.
std::string timeline_svg(const RunReport& run, std::span<const std::string> backends);
/// Returns the roofline: regions as points below the machine's two lines, on logarithmic axes.
std::string roofline_svg(const RunReport& run, const MachineLimits& machine, std::span<const std::string> backends);

}  // namespace partita
