// A module as JSON, for other programs. The form has a version; resources/partita-module.schema.json describes it.
#pragma once

#include <string>

#include "engine/exporters/exporter.h"

namespace partita {

/// Raised when a reader of the form before would misread this one.
inline constexpr int kModuleJsonVersion = 1;

/// Everything reachable from the module's functions.
std::string module_to_json(const Module& module);

}  // namespace partita
