// Regions that a person keeps apart: expressions of one backend in different groups must not become one region.
//
// Until regions are merged, each group counts as a separate backend, under a name that no text can contain; afterwards
// the backends' names are restored, and the marks between regions keep them apart. Both directions are linear.
#pragma once

#include <map>
#include <string>

#include "engine/ir/decision_log.h"
#include "engine/placement/placement.h"

namespace partita {

/// Expression of the flow's first module -> group; others are in group 0.
using RegionGroups = std::map<ExprId, int>;

/// Returns the backend that a group counts as; group 0 is the backend itself.
std::string backend_of_group(const std::string& backend, int group);
/// Returns the placement with a backend for each group. A composite's group is that of its call or its contents.
Placement with_region_groups(const Module& module, const Placement& placement, const RegionGroups& groups);
/// Returns the annotated module with the backends' own names.
Module without_region_groups(const Module& module);
/// Returns why regions with these names of backends are apart: by groups of one backend, a person's or its rules'.
/// Empty if they are not.
Sentence kept_apart(const std::string& one, const std::string& other);
/// Replaces groups by their backends in decisions from `first` on.
void forget_groups(DecisionLog& log, size_t first);

}  // namespace partita
