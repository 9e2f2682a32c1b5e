// The error inside text readers: thrown in a reader only, caught where it returns its Result.
#pragma once

#include <string>

#include "engine/support/diagnostic.h"

namespace partita {

struct SyntaxError {
    SourcePosition position;
    std::string message;
};

}  // namespace partita
