// Paths that stand in files which nobody vouches for.
#pragma once

#include <string>
#include <string_view>

#include "engine/support/diagnostic.h"

namespace partita {

/// The file that `location` names, if it is a relative path that stays inside the folder after links are followed. Else
/// the message goes on from what names it: "is refused: the path leaves the model's folder"; `whose` is "the model's
/// folder".
Result<std::string> path_inside(const std::string& folder, std::string_view location, const std::string& whose);

}  // namespace partita
