// Reads the form "json" (engine/exporters/module_json.h; resources/partita-module.schema.json describes it).
//
// The text comes from anyone. What it says is put together and then read as Relay text, so that names and scopes are
// checked by one reader. Takes the memory of the text two or three times.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/module.h"
#include "engine/support/cancel.h"

namespace partita {

/// Raised when a reader of the form before would misread this one.
inline constexpr int kModuleJsonVersion = 1;

/// Whether a text says that it is of this form.
bool looks_like_module_json(std::string_view text);

/// Returns the module, its types not yet inferred. `file` stands in messages.
Result<Module> read_module_json(std::string_view text, const std::string& file, const CancelToken& cancel = {});

}  // namespace partita
