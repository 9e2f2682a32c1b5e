#include "engine/lessons/answer_json.h"

namespace partita {

nlohmann::ordered_json backends_json(const std::map<uint32_t, std::string>& backends) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [call, backend] : backends) json[std::to_string(call)] = backend;
    return json;
}

nlohmann::ordered_json answer_json(const LessonAnswer& answer) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!answer.calls.empty()) json["calls"] = answer.calls;
    if (!answer.backends.empty()) json["backends"] = backends_json(answer.backends);
    if (!answer.order.empty()) json["order"] = answer.order;
    if (!answer.regions.empty()) json["regions"] = answer.regions;
    if (answer.number >= 0) json["number"] = answer.number;
    if (!answer.text.empty()) json["text"] = answer.text;
    if (!answer.rules.empty()) json["rules"] = answer.rules;
    return json;
}

}  // namespace partita
