// MergeComposite: replaces each match of a backend's patterns by a call of a function literal with the attribute
// `Composite`, as TVM 0.9's MergeComposite does (src/relay/transforms/merge_composite.cc, ir/dataflow_matcher.cc).
//
// Runs after type inference, before placement. The result is typed.
#pragma once

#include <span>

#include "engine/ir/decision_log.h"
#include "engine/rules/backend_description.h"
#include "engine/support/cancel.h"

namespace partita {

Result<Module> merge_composite(const Module& module, std::span<const CompositePattern> patterns,
                               DecisionLog* log = nullptr, const CancelToken& cancel = {});

}  // namespace partita
