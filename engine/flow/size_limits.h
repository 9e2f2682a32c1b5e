// Regions outside the limits of their backend's description (min_ops, max_inputs, weight_bytes and so on): their
// content moves back to default.
#pragma once

#include <string>
#include <unordered_map>

#include "engine/flow/flow.h"
#include "engine/support/sentence.h"

namespace partita {

struct OutsideLimits {
    Sentence why;        ///< "" if within the limits
    std::string limits;  ///< names of the violated limits: "min_ops, max_inputs"
};

/// Calls of the input whose regions violated the limits of their backend, and why. For a region without calls, its
/// tuples and projections.
struct Dropped {
    int backend = -1;
    OutsideLimits outside;
};
using DroppedCalls = std::unordered_map<ExprId, Dropped>;

bool has_limits(const FlowOptions& options);
/// Adds the calls of regions outside their limits, or the whole content of one without calls. Returns how many.
size_t note_outside_limits(const FlowResult& flow, const FlowOptions& options, DroppedCalls& dropped);

}  // namespace partita
