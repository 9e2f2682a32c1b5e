// Strings of Relay text: between quotes, with escapes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace partita::relay {

/// What a string literal means: `\"`, `\\`, `\n`, `\t`, `\r` and `\xHH` decoded, other backslashes kept.
std::string unescaped(std::string_view literal);
/// Appends a string in quotes, with escapes as TVM's printer makes them.
void append_quoted(std::string& out, std::string_view text);
/// "`a`, `b`, `c`", at most ten of them.
std::string joined(std::span<const std::string_view> names);

}  // namespace partita::relay
