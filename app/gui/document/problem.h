// What the engine says of a fault, as the window lists it.
#pragma once

#include "app/gui/document/document.h"

namespace partita {

/// At no expression; names and text of files are made harmless.
Problem problem_of(const Diagnostic& diagnostic);

}  // namespace partita
