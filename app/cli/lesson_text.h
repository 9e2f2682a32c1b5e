// The text of a lesson that ships, by its name, or of a file.
#pragma once

#include <string>

#include "engine/support/diagnostic.h"

namespace partita::cli {

/// Returns the text of a lesson that ships, or of a file.
Result<std::string> lesson_text(const std::string& name_or_path);

}  // namespace partita::cli
