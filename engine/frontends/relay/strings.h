// Strings of Relay text: between quotes, with escapes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace partita::relay {

/// Decodes a string literal: `\"`, `\\`, `\n`, `\t`, `\r` and `\xHH`; keeps other backslashes.
std::string unescaped(std::string_view literal);
/// Appends a string in quotes, with the escapes of TVM's printer.
void append_quoted(std::string& out, std::string_view text);
/// Returns "`a`, `b`, `c`", at most ten of them.
std::string joined(std::span<const std::string_view> names);

}  // namespace partita::relay
