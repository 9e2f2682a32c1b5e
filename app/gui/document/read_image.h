// Images as values of a module's inputs: what the engine asks the window's toolkit for.
#pragma once

#include "engine/session/input_files.h"

namespace partita {

/// As ReadImage: turned as its camera says, stretched to the size, without transparency.
Result<Pixels> read_image(const std::string& path, int64_t width, int64_t height);

}  // namespace partita
