// Values for inputs, as the window names them.
#pragma once

#include <vector>

#include <QString>

#include "engine/session/input_files.h"

namespace partita {

/// "cat.png", "all.npz: mask".
QString value_text(const InputFile& input);
/// "x = cat.npy, mask = all.npz: mask"; of many the first few and how many more.
QString inputs_text(const std::vector<InputFile>& inputs);

}  // namespace partita
