// MergeComposite: replaces each match of a backend's patterns by a call of a function literal with the attribute
// `Composite`, as TVM 0.9's MergeComposite does (src/relay/transforms/merge_composite.cc, ir/dataflow_matcher.cc).
//
// Runs after type inference, before placement. The result is typed.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/rules/backend_description.h"
#include "engine/support/cancel.h"

namespace partita {

/// Returns whether a match may become a composite. `calls`: those inside, as expressions of the flow's first module.
using MatchFilter = std::function<bool(const CompositePattern& pattern, const std::vector<ExprId>& calls)>;

/// `keeps`: null for all matches. One that is left out does not keep another pattern from matching its calls.
Result<Module> merge_composite(const Module& module, std::span<const CompositePattern> patterns,
                               DecisionLog* log = nullptr, const CancelToken& cancel = {},
                               const MatchFilter& keeps = nullptr);

/// Why a match is refused: the annotator's place and words. The sentence's first value is the place.
Sentence check_is_false(const AnnotatorAnswer& answer);

}  // namespace partita
