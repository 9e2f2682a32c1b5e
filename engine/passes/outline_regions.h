// Outlining: makes each region of any division a function of its own, as partition_graph does for annotated regions,
// with the same names and attributes. A region need not be connected; it must be convex: no path may lead out of it
// and back in.
//
// A value that a let binds stands where it is used. Linear in the module, without recursion. The result is typed.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/passes/partition_graph.h"

namespace partita {

/// Which calls become functions. Tuples and projections follow the calls that they stand between.
struct RegionsToOutline {
    std::vector<int32_t> region_of;     ///< by expression of the module that origins refer to; -1: none
    std::vector<std::string> backends;  ///< by region
};

/// Fails if a region depends on itself, or if a function's name is taken. References and functions that call
/// themselves are refused: their order of evaluation is the text's.
Result<Module> outline_regions(const Module& module, const RegionsToOutline& regions,
                               const PartitionOptions& options = {}, DecisionLog* log = nullptr);

}  // namespace partita
