// The placement that a module itself contains, used to draw it beside another one.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// The placement of a module's expressions by annotations and by functions with a compiler.
struct ModulePlaces {
    std::vector<std::string> backends;  ///< the first 256, in order of appearance; never includes `default`
    std::vector<int16_t> backend_of;    ///< by expression: index into backends, -1 default; the content of a function
                                        ///< goes where the function goes
    std::vector<int32_t> region_of;  ///< by expression: its region of annotations, not numbered consecutively; -1 none
};

/// Reads the placement. Ignores contradictory annotations. Linear in the module.
ModulePlaces module_places(const Module& module);

}  // namespace partita
