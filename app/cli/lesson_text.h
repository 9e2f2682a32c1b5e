// Lessons that ship, by name, and files of lessons; in the language that is wanted where somebody wrote that.
#pragma once

#include <string>
#include <vector>

#include "engine/lessons/lesson.h"

namespace partita::cli {

/// Returns the text of a lesson that ships, or of a file.
Result<std::string> lesson_text(const std::string& name_or_path);
/// Returns the lesson of a text. `language`, such as "de", chooses the translation of that name: of a lesson that
/// ships, or beside the file (F.de.json). Without one, the lesson stays as it is.
CheckedLesson open_lesson(const std::string& text, const std::string& name_or_path, const std::string& language);
/// Returns the names of the lessons that ship in a chapter, by its title in English or in `language`; of `course`, all.
/// Empty: there is no such chapter.
std::vector<std::string> lessons_of_chapter(const std::string& title, const std::string& language);

}  // namespace partita::cli
