// Reads Relax modules as TVM prints them (TVMScript of v0.16 to main of August 2026, its three dialects), with Python's
// rules for lines, brackets, comments and indentation. PrimFuncs are kept as texts.
//
// Linear in the text. The text is untrusted: an error anywhere gives a message with its line, its column and what was
// expected; nesting is bounded.
#pragma once

#include <string_view>

#include "engine/frontends/relax/program.h"
#include "engine/support/cancel.h"

namespace partita::relax {

/// Returns whether a text begins as a Relax module or function does.
bool looks_like_relax(std::string_view text);

Result<Program> read(std::string_view text, const CancelToken& cancel = {});

}  // namespace partita::relax
