// What a compiler takes of a region that it refuses as a whole: the region is halved, in an order in which its
// operators can run, and so is each half that is refused. What is refused as a single operator runs by the kernels of
// `default`.
#pragma once

#include <memory>

#include "engine/program/backend.h"

namespace partita {

/// Compiles a part for each doubling of the region about twice, and gives up on parts after 64. Its notice says how
/// much the backend runs. Fails if it takes no part, or an operator has no kernel.
Result<std::unique_ptr<CompiledRegion>> compile_halved(Backend& backend, const Module& module, ExprId function,
                                                       const CompileOptions& options);

}  // namespace partita
