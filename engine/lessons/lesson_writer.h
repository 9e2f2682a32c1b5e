// Writes a lesson as the JSON that read_lesson reads. Linear in the size of the lesson.
//
// Backends that ship go by name; others as their descriptions. Members that say nothing are left out.
#pragma once

#include <string>

#include "engine/lessons/lesson.h"

namespace partita {

/// Fails if a lesson can't hold one of its backends: rules in Python or in a program are files of their own.
Result<std::string> format_lesson(const Lesson& lesson);

}  // namespace partita
