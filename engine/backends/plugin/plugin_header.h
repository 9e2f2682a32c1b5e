// The text of partita_plugin.h, for C source that includes it: it is compiled where the file may not be.
#pragma once

#include <string_view>

namespace partita {

std::string_view plugin_header();

}  // namespace partita
