// AnnotateTarget: puts `annotation.compiler_begin` / `compiler_end` pairs around the expressions that a placement gives
// to a backend, as TVM 0.9's AnnotateTarget does (src/relay/transforms/annotate_target.cc).
//
// Runs after type inference and composite merging. Linear. The result is typed.
#pragma once

#include "engine/ir/decision_log.h"
#include "engine/placement/placement.h"

namespace partita {

struct AnnotateOptions {
    /// Whether tuples, projections and references take the backend of their operands; TVM's include_non_call_ops.
    bool include_non_call_ops = true;
};

Result<Module> annotate_target(const Module& module, const Placement& placement, const AnnotateOptions& options = {},
                               DecisionLog* log = nullptr);

}  // namespace partita
