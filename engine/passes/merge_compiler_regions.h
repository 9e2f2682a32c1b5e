// MergeCompilerRegions: merges neighbouring annotated regions of one backend, without making a region depend on
// itself, as TVM 0.9 does (src/relay/transforms/merge_compiler_regions.cc) wherever TVM's result is valid. A region
// with operators of a branch and others is not: the branch would run where it is not taken, and may fail there.
//
// Runs after annotate_target. The result is typed. Cost: see the .cpp, which names the algorithm and its source.
#pragma once

#include <span>

#include "engine/ir/decision_log.h"
#include "engine/passes/region_limits.h"

namespace partita {

/// Refuses merges that would exceed a limit; TVM has no limits.
Result<Module> merge_compiler_regions(const Module& module, DecisionLog* log = nullptr, const MergeLimits& limits = {});

}  // namespace partita
