// Which operator a name in a rule, a pattern or a module's JSON means.
#pragma once

#include <string_view>

#include "engine/ir/module.h"

namespace partita {

/// Returns the engine's operator of that name, else a foreign one. Invalid for what looks like one of the engine's,
/// misspelt: near to its name and, as those are, without capitals and without another program's prefix.
OpId op_named(std::string_view name);

}  // namespace partita
