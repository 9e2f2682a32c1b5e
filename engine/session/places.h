// Where a module itself says that its operators go: for a picture of it beside another one.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// What annotations, and functions with a compiler, say of a module's expressions.
struct ModulePlaces {
    std::vector<std::string>
        backends;  ///< the first 256, in the order in which they are met; `default` is none of them
    std::vector<int16_t>
        backend_of;  ///< by expression: index into backends, -1 default; what a function holds goes where it goes
    std::vector<int32_t> region_of;  ///< by expression: which region of annotations it stands in, with gaps; -1 none
};

/// Linear in the module. Annotations that contradict each other say nothing.
ModulePlaces module_places(const Module& module);

}  // namespace partita
