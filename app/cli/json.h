// JSON for standard output: keys in insertion order, invalid UTF-8 replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/terminal.h"
#include "engine/support/json_stream.h"
#include "engine/support/json_text.h"

namespace partita::cli {

using Json = nlohmann::ordered_json;

/// Returns JSON in ASCII only, so that a terminal does not interpret a name as a command.
inline std::string json_text(const Json& json) { return partita::json_text(json, 2, JsonLetters::Ascii) + "\n"; }

/// Writes the same format to standard output element by element: for up to a million of them.
inline JsonStream stream_json() {
    return JsonStream([](std::string_view piece) { print(piece); }, 2, true);
}

}  // namespace partita::cli
