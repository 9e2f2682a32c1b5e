// The regions of a partitioned module, told in expressions of the flow's input.
#pragma once

#include "engine/flow/flow.h"

namespace partita {

/// Fills `regions`, `region_of`, `carried` and what they say of `backend_of` from the partitioned module.
void collect_regions(FlowResult& flow, const FlowOptions& options);
/// Puts calls that their backend computes nothing for, and that vanished from its function, into the region beside
/// them: that of what they take their value from or, where that is outside, of what uses theirs.
void collect_transparent_calls(FlowResult& flow, const FlowOptions& options);

}  // namespace partita
