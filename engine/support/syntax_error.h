// How readers of text give up: thrown inside of a reader only, caught where it hands out its Result.
#pragma once

#include <string>

#include "engine/support/diagnostic.h"

namespace partita {

struct SyntaxError {
    SourcePosition position;
    std::string message;
};

}  // namespace partita
