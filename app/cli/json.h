// JSON for standard output: keys in the order in which they were set, text that is no UTF-8 replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/terminal.h"
#include "engine/support/json_stream.h"

namespace partita::cli {

using Json = nlohmann::ordered_json;

/// Nothing but ASCII, so that a terminal takes no name for a command.
inline std::string json_text(const Json& json) {
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

/// The same form to standard output, element by element: for what may be a million of them.
inline JsonStream stream_json() {
    return JsonStream([](std::string_view piece) { print(piece); }, 2, true);
}

}  // namespace partita::cli
