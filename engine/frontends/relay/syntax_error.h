// The error inside the Relay reader: thrown in this folder only, caught by parse_relay.
#pragma once

#include <string>

#include "engine/support/syntax_error.h"

namespace partita::relay {

[[noreturn]] inline void fail(SourcePosition position, std::string message) {
    throw SyntaxError{position, std::move(message)};
}

/// Returns a piece of the text for a message: quoted, shortened, without control characters.
std::string quoted(std::string_view text);

}  // namespace partita::relay
