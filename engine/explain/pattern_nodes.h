// What nodes of a pattern stand for.
#pragma once

#include "engine/rules/pattern.h"

namespace partita {

/// Returns whether `node` matches what `inner` matches: as an alternative, or with a condition on type or attributes.
bool stands_for(const Pattern& pattern, uint32_t node, uint32_t inner);
/// Returns the op that a call of the pattern calls, or an invalid id.
OpId op_of(const Pattern& pattern, uint32_t node);

}  // namespace partita
