// An answer as JSON, the same in lessons and in files of answers.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/lessons/lesson.h"

namespace partita {

/// Returns {"3": "dnnl"}.
nlohmann::ordered_json backends_json(const std::map<uint32_t, std::string>& backends);
/// Members that say nothing are left out.
nlohmann::ordered_json answer_json(const LessonAnswer& answer);

}  // namespace partita
