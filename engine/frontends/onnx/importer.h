// Imports ONNX models as typed modules: opset 7 to 25, IR version 3 to 13 (onnx.proto3, Operators.md of ONNX 1.20).
//
// Initializers become constants, and expressions that depend on constants only are computed. Nodes keep their names as
// labels. A node that cannot be converted becomes a call by its own name (engine/ops/foreign.h), which can be inspected
// and partitioned around, but not run; its graphs become functions of the module. `strict` refuses it instead. Time and
// memory are linear in the file.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/frontends/onnx/named_dimension.h"
#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"
#include "engine/support/source_file.h"

namespace partita {

namespace onnx {
struct Node;
/// Returns the label of the calls that a node becomes: its name or its first output, behind `outer`, the label of the
/// node or the call of a function in whose body it is.
std::string node_label(const Node& node, const std::string& outer);
/// The domain of calls of `opaque` that stand for inputs and initializers of types that Partita lacks.
inline constexpr std::string_view kUnreadDomain = "ai.partita.unread";
}  // namespace onnx

struct OnnxOptions {
    std::string file;  ///< for messages; external data may lie in its folder
    bool strict = false;
    /// Sizes of symbolic dimensions. Others follow from the model's relations, or become 1, with a note.
    std::map<std::string, int64_t> dimensions;
    /// Replaces a given size that contradicts the model, with a warning, instead of refusing it.
    bool correct_dimensions = false;
    std::map<std::string, Tensor> constants;             ///< graph inputs of known value
    std::map<std::string, std::vector<int64_t>> shapes;  ///< graph inputs of known shape
    /// Graph inputs that are sequences: the type and shape of each element. Each element becomes a parameter.
    std::map<std::string, std::vector<std::pair<DataType, std::vector<int64_t>>>> sequences;
    CancelToken cancel;
};

struct OnnxImport {
    Module module;  ///< typed
    std::vector<Diagnostic> notes;
    std::vector<std::string> inputs;         ///< ONNX names of @main's parameters, in order
    std::vector<std::string> outputs;        ///< ONNX names of the results, in order
    std::vector<NamedDimension> dimensions;  ///< those that the inputs name, with the sizes used
    std::vector<std::string> unsupported;    ///< one "OpType: reason" for each opaque node
    std::set<std::string> needed_constants;  ///< values that would have to be known to convert these
};

/// Imports a file: reads the structure of the model, and large weights on first use.
Result<OnnxImport> import_onnx(const std::shared_ptr<const SourceFile>& file, const OnnxOptions& options);
/// Imports bytes, which may be freed afterwards.
Result<OnnxImport> import_onnx(std::string_view bytes, const OnnxOptions& options);

/// Returns whether a file's first bytes look like an ONNX model: a ModelProto that begins with its ir_version.
bool looks_like_onnx(std::string_view bytes);

}  // namespace partita
