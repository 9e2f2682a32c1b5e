// The built-in backend, named `default`: runs a region with the ops' own kernels. Takes every region without control
// flow whose ops have kernels.
#pragma once

#include "engine/backends/backend.h"

namespace partita {

std::unique_ptr<Backend> make_reference_backend();

}  // namespace partita
