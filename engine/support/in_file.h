// A diagnostic of a file's content gets the file's name, once.
#pragma once

#include <string>

#include "engine/support/diagnostic.h"

namespace partita {

inline Diagnostic in_file(Diagnostic diagnostic, const std::string& file) {
    if (diagnostic.file.empty()) diagnostic.file = file;
    return diagnostic;
}

}  // namespace partita
