// The sample models: networks of the literature in full size, with parameters instead of trained weights.
#pragma once

#include <span>

#include "engine/ir/module.h"

namespace partita::samples {

struct SampleModel {
    const char* name;
    const char* shows;  ///< the comment in the first line of its file
    Result<Module> (*build)();
};

std::span<const SampleModel> sample_models();

}  // namespace partita::samples
