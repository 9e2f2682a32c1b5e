// Pictures of a run for reports, as SVG 1.1 without scripts, styles or links: bars of the regions' times, the run as a
// timeline, and the roofline. Linear in what they show; each shows a bounded number of things and says what it left
// out.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/runtime/machine.h"
#include "engine/runtime/run.h"

namespace partita {

/// `backends`: names in the order of their colours.
std::string time_bars_svg(const RunReport& run, std::span<const std::string> backends);
/// "" where the run left no trace.
std::string timeline_svg(const RunReport& run, std::span<const std::string> backends);
/// Regions as points under the machine's two lines; both axes are logarithmic.
std::string roofline_svg(const RunReport& run, const MachineLimits& machine, std::span<const std::string> backends);

}  // namespace partita
