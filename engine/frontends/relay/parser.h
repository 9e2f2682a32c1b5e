// Reads Relay text, the form that TVM 0.9 prints (`#[version = "0.0.5"]`) and the older forms of the same language
// (`v0.0.4`, no version line, a function alone).
//
// Linear in the length of the text; needs memory for the module but not for the tokens. Chains of `%k = ...;` and of
// `let` may have any length; brackets may nest to kDeepestNesting. The text is untrusted: an error anywhere in it gives
// a message with its line and column.
//
// The language: TVM's src/parser (tag v0.9.0). Not supported: algebraic data types and `match`, type parameters,
// virtual devices; each gives a message that says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

struct RelayParseOptions {
    std::string file;                          ///< for messages
    std::string compiler;                      ///< for annotations in a text without a metadata section
    std::vector<Diagnostic>* notes = nullptr;  ///< receives warnings and notes, if set
    bool* lacks_compiler = nullptr;            ///< set to true if the text is refused because it needs `compiler`
    CancelToken cancel;
};

/// Deeper brackets are refused, so that the stack does not overflow: a level uses up to 8 KB of it in a sanitizer
/// build.
inline constexpr int kDeepestNesting = 800;

/// Returns the module of the text: only vars and constants have types; `infer_types` adds the others. The position of
/// each expression is known. A text that is one function or one expression becomes @main; its free variables become
/// parameters.
Result<Module> parse_relay(std::string_view text, const RelayParseOptions& options = {});

}  // namespace partita
