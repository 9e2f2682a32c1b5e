// Makes the engine's module and plain graph of a Relax program. Operators that mean the same become the engine's, all
// others calls of `opaque` by their Relax names, with the types of the annotations.
#pragma once

#include <memory>
#include <vector>

#include "engine/frontends/relax/program.h"
#include "engine/graph/graph.h"

namespace partita::relax {

/// A program, and what its bindings are in the graph and the module that were made from it.
struct Text {
    Program program;
    std::vector<NodeId> nodes;        ///< by Binding::source; invalid where the graph has no such node
    std::vector<ExprId> expressions;  ///< by Binding::source
};

struct MadeModule {
    Module module;  ///< with the types of the annotations; functions have theirs by inference
    Graph graph;    ///< of @main: the calls in the order of the text, by the names of what they are bound to
    std::vector<Diagnostic> notes;
};

/// Fails for sizes that no tensor can have, and where an annotation is missing that nothing replaces. Linear but for
/// local functions, each of which is copied for each call of it; their number is bounded.
Result<MadeModule> make_module(Program program);

/// Returns the element type and the sizes of a tensor's type, as far as they are known.
struct KnownTensor {
    std::string dtype;
    std::vector<int64_t> shape;
    bool has_shape = false;
};
KnownTensor known_tensor(const Type& type);

}  // namespace partita::relax
