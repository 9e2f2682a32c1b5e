// JSON as text: read and written in one way, compiled once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace partita {

enum class JsonLetters : uint8_t { Utf8, Ascii };

/// Writes JSON, by default on one line; with `Ascii`, other letters as \u.... What is no UTF-8 is replaced.
std::string json_text(const nlohmann::json& json, int indent = -1, JsonLetters letters = JsonLetters::Utf8);
std::string json_text(const nlohmann::ordered_json& json, int indent = -1, JsonLetters letters = JsonLetters::Utf8);

/// Reads JSON; the value is discarded (`is_discarded()`) if the text is none. Recurses over the text's depth.
nlohmann::json json_of_text(std::string_view text);
nlohmann::ordered_json ordered_json_of_text(std::string_view text);

}  // namespace partita
