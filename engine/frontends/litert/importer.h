// Imports LiteRT (TensorFlow Lite) models: the plain graph as it stands in the file, and a typed module of it.
//
// The graph has a node for each operator of the first subgraph, in the file's order, under the file's name for its
// kind; a node is called as the first tensor that it makes, which is how logs and profiles call it. The module has the
// engine's operators for those that are known, under the node's name, and a call of `opaque` for each other.
// Constants stay in the file until they are wanted. Time and memory are linear in the file's structure.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/onnx/named_dimension.h"
#include "engine/graph/graph.h"
#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"
#include "engine/support/source_file.h"

namespace partita {

class FileOperators;  // engine/ir/file_operators.h

struct LitertOptions {
    bool strict = false;                        ///< refuses operators that can't be run
    std::map<std::string, int64_t> dimensions;  ///< sizes of dimensions that the file leaves open; others are 1
    std::vector<std::string> float16;           ///< constants that are read as such: names of values, or patterns
    CancelToken cancel;
};

struct LitertImport {
    Module module;                                   ///< typed
    Graph graph;                                     ///< whose nodes name the module's expressions
    std::shared_ptr<const FileOperators> operators;  ///< of the first subgraph
    std::vector<Diagnostic> notes;
    std::vector<NamedDimension> dimensions;  ///< "x:0" is the first dimension of the input "x"
    std::vector<std::string> unsupported;    ///< one "KIND: reason" for each opaque node
};

Result<LitertImport> import_litert(const std::shared_ptr<const SourceFile>& file, const LitertOptions& options);

/// Returns whether a file's first bytes are those of a `.tflite` file.
bool looks_like_litert(std::string_view bytes);

}  // namespace partita
