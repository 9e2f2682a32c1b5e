// Backends that users bring: a shared library with the interface of partita_plugin.h, or a command that writes one.
// The library runs in a process of its own, with time limits; when it fails, its region runs on `default`.
#pragma once

#include "engine/backends/backend.h"

namespace partita {

/// `codegen` is "plugin:LIBRARY" or "command:PROGRAM ARGUMENT ...". Time limits come from PARTITA_PLUGIN_SECONDS
/// (60 where that isn't set).
std::unique_ptr<Backend> make_plugin_backend(std::string_view codegen);
/// Whether a codegen is one of these.
bool is_plugin_codegen(std::string_view codegen);

}  // namespace partita
