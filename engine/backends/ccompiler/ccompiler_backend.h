// The backend `ccompiler`: a region becomes C source, the system's compiler makes a shared library of it.
#pragma once

#include "engine/backends/backend.h"

namespace partita {

std::unique_ptr<Backend> make_ccompiler_backend();

}  // namespace partita
