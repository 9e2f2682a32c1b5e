// MergeComposite: replaces each match of a backend's patterns by a call of a function literal with the attribute
// `Composite`, as TVM 0.9's MergeComposite does (src/relay/transforms/merge_composite.cc, ir/dataflow_matcher.cc).
//
// Runs after type inference, before placement. The result is typed.
#pragma once

#include <span>
#include <string_view>

#include "engine/passes/decision_log.h"
#include "engine/rules/backend_description.h"

namespace partita {

/// How the text of a decision begins that refuses a match by its check; the terms follow.
inline constexpr std::string_view kCheckIsFalse = "the check is false: ";

Result<Module> merge_composite(const Module& module, std::span<const CompositePattern> patterns,
                               DecisionLog* log = nullptr);

}  // namespace partita
