// Writes a region as C11 that a person can read: chains of elementwise ops fused into one loop nest for each shape,
// broadcasting resolved to strides, other ops as the loops of their own emitters.
//
// The source exports one function:
//
//     int32_t partita_region(const void *const *inputs, void *const *outputs,
//                            const void *const *constants, void *workspace);
//
// Tensors are dense and row-major, in the order of the region's flattened parameters and results; `constants` are
// those of `CSource::constants`; `workspace` has `workspace_bytes`, aligned to 64. It returns 0. No name from a module
// gets into the source: identifiers are numbered, comments hold names of ops from the registry.
#pragma once

#include <string>
#include <vector>

#include "engine/runtime/flat_graph.h"

namespace partita {

struct CSource {
    std::string text;
    std::vector<ConstantId> constants;
    size_t workspace_bytes = 0;
    int loops = 0;  ///< loop nests and op loops, for people
};

/// Fails with the first op that has no emitter, or the first type that C has no name for.
Result<CSource> write_c_source(const Module& module, const FlatGraph& graph);

}  // namespace partita
