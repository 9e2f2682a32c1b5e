// Reads the form "json" (engine/exporters/module_json.h; resources/partita-module.schema.json describes it).
//
// The text comes from anyone. Takes its memory two or three times.
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

/// Returns the module, its scopes not yet verified (verify_scopes in engine/passes/verify.h) and its types not yet
/// inferred. `file` stands in messages.
Result<Module> read_module_json(std::string_view text, const std::string& file, const CancelToken& cancel = {});

}  // namespace partita
