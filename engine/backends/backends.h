// The backends by name. A new one is a folder here and a line in rules/codegens.def.
#pragma once

#include <memory>
#include <string_view>

#include "engine/program/backend.h"

namespace partita {

#define CODEGEN(name, make, summary) std::unique_ptr<Backend> make();
#include "engine/rules/codegens.def"
#undef CODEGEN
/// `codegen` is "plugin:LIBRARY" or "command:PROGRAM ARGUMENT ...".
std::unique_ptr<Backend> make_plugin_backend(std::string_view codegen);

/// Returns the backend for a description's `codegen`; null for an unknown name.
std::unique_ptr<Backend> make_backend(std::string_view codegen);

}  // namespace partita
