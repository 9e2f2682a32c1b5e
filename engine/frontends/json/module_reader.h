// Reads the form "json" (engine/exporters/module_json.h; resources/partita-module.schema.json describes it).
//
// The text is untrusted. Reading takes two or three times its memory.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/module.h"
#include "engine/support/cancel.h"

namespace partita {

/// Incremented when a reader of the previous version would misread a text.
inline constexpr int kModuleJsonVersion = 1;

/// Returns whether a text claims to have this form.
bool looks_like_module_json(std::string_view text);

/// Returns the module, with scopes not yet verified (verify_scopes in engine/passes/verify.h) and types not yet
/// inferred. Messages call the text `file`.
Result<Module> read_module_json(std::string_view text, const std::string& file, const CancelToken& cancel = {});

}  // namespace partita
