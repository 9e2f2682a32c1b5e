// Makes a module and a plain graph of an exported program (torch.export, ExecuTorch's ETRecord).
//
// The plain graph is the one that PyTorch's partitioners see: the file's nodes, names and order, with the nodes that
// the file leaves out (placeholders, getitem, output). The module has what can be run; an operator that is not
// converted, or whose result would be of another type than the file states, is a call of `opaque`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/frontends/onnx/named_dimension.h"
#include "engine/graph/graph.h"
#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"
#include "engine/support/source_file.h"

namespace partita {

class FileOperators;  // engine/ir/file_operators.h

struct TorchOptions {
    bool strict = false;                        ///< refuse what can't be converted
    std::map<std::string, int64_t> dimensions;  ///< sizes of symbolic dimensions
    CancelToken cancel;
};

struct TorchImport {
    Module module;  ///< typed
    std::shared_ptr<Graph> graph;
    std::shared_ptr<const FileOperators> operators;
    std::vector<Diagnostic> notes;
    std::vector<NamedDimension> dimensions;
};

/// Opens `.pt2` in the forms that PyTorch has written it in, and ETRecord.
Result<TorchImport> import_torch(const std::shared_ptr<const SourceFile>& file, const TorchOptions& options);

/// Returns whether a file begins as a zip archive does.
bool looks_like_zip(std::string_view bytes);

namespace torch {

struct Program;
class Weights;

/// Throws Refused.
TorchImport import_program(const Program& program, const Weights& weights, const std::string& file, size_t file_bytes,
                           bool of_executorch, const TorchOptions& options);

}  // namespace torch
}  // namespace partita
