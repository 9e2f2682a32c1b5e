// The regions of a partitioned module, in expressions of the flow's input.
#pragma once

#include "engine/flow/flow.h"

namespace partita {

/// Fills `regions`, `region_of` and `carried` from the partitioned module, and sets `backend_of` accordingly.
void collect_regions(FlowResult& flow, const FlowOptions& options);
/// Adds transparent calls (their backend computes nothing for them) that vanished from their function to the region of
/// their operand or, if that is outside, of their users.
void collect_transparent_calls(FlowResult& flow, const FlowOptions& options);

}  // namespace partita
