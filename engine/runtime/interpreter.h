// Runs a module with control flow: if, let-bound and recursive functions, functions as values, references.
//
// Evaluates expressions on demand, once for each call of their function. Call frames are on the heap, so that a limit
// bounds recursion and not the stack; a tail call replaces its caller's frame, so that loops written as recursion run
// in constant memory. A step costs its kernel and about a microsecond.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/runtime/region_table.h"

namespace partita {

/// Time spent in a call of an op or a sub-function, summed over one run.
using InterpretedTimes = std::unordered_map<ExprId, double>;

/// Calls `function` with the flattened tensors of its parameters. Returns the flattened result.
Result<std::vector<Tensor>> interpret(const Module& module, ExprId function, const std::vector<Tensor>& inputs,
                                      RegionTable& regions, ThreadPool& threads, const CancelToken& cancel,
                                      InterpretedTimes* times);

}  // namespace partita
