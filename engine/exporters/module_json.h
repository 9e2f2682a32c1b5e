// A module as JSON, for other programs. The format has a version; resources/partita-module.schema.json describes it.
#pragma once

#include <string>

#include "engine/ir/module.h"

namespace partita {

/// Returns everything reachable from the module's functions as JSON.
std::string module_to_json(const Module& module);

}  // namespace partita
