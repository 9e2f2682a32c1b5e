#include "engine/support/json_text.h"

#include <nlohmann/json.hpp>

namespace partita {

namespace {

template <class Json>
std::string text_of(const Json& json, int indent, JsonLetters letters) {
    return json.dump(indent, ' ', letters == JsonLetters::Ascii, Json::error_handler_t::replace);
}

}  // namespace

std::string json_text(const nlohmann::json& json, int indent, JsonLetters letters) {
    return text_of(json, indent, letters);
}
std::string json_text(const nlohmann::ordered_json& json, int indent, JsonLetters letters) {
    return text_of(json, indent, letters);
}

nlohmann::json json_of_text(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }
nlohmann::ordered_json ordered_json_of_text(std::string_view text) {
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace partita
