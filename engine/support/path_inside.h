// Paths from untrusted files.
#pragma once

#include <string>
#include <string_view>

#include "engine/support/diagnostic.h"

namespace partita {

/// Returns the file that `location` names, if it is a relative path that stays inside the folder after links are
/// followed. Else returns an error to be appended to a subject: "is refused: the path leaves the model's folder";
/// `whose` is "the model's folder".
Result<std::string> path_inside(const std::string& folder, std::string_view location, const std::string& whose);

}  // namespace partita
