// The regions of a marked module by the expressions of the flow's input, including those inside composites.
#pragma once

#include <span>
#include <vector>

#include "engine/passes/region_set.h"

namespace partita {

/// Returns, by expression of the module that `module` comes from, a root of `regions`, or -1. Omits expressions after
/// the last that has a region. `order` is the graph order of all that `regions` were built from.
std::vector<int32_t> regions_by_origin(const Module& module, RegionSet& regions, const MarkReader& reader,
                                       std::span<const ExprId> order);

}  // namespace partita
