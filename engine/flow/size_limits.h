// Regions outside the limits of their backend's description (min_ops, min_flops, max_inputs, max_outputs): what is in
// them goes back to default.
#pragma once

#include <string>
#include <unordered_map>

#include "engine/flow/flow.h"
#include "engine/support/sentence.h"

namespace partita {

struct OutsideLimits {
    Sentence why;        ///< "" for what is within them
    std::string limits;  ///< which: "min_ops, max_inputs"
};

/// Calls of the input whose regions were outside their backend's limits, and why. Of a region without calls, its tuples
/// and projections.
struct Dropped {
    int backend = -1;
    OutsideLimits outside;
};
using DroppedCalls = std::unordered_map<ExprId, Dropped>;

bool has_limits(const FlowOptions& options);
/// Adds the calls of regions outside their limits, or all that is in one without calls; returns how many.
size_t note_outside_limits(const FlowResult& flow, const FlowOptions& options, DroppedCalls& dropped);

}  // namespace partita
