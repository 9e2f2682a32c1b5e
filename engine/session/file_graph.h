// The nodes of a file as the file names them, for what is said and decided about the file itself.
#pragma once

#include <memory>
#include <vector>

#include "engine/frontends/program_report.h"
#include "engine/session/divide.h"
#include "engine/support/source_file.h"

namespace partita {

struct FileGraph {
    std::vector<FileNode> nodes;
    std::shared_ptr<const Graph> graph;  ///< all nodes in the same order, those of bodies beside those that hold them
};

/// Returns the graph of an ONNX file as it stands, or else the graph of the input. Each node has an expression where
/// the module has one for it.
Result<FileGraph> file_graph(const OpenedInput& opened);

/// Returns what makes the graph of the nodes of an ONNX file, which is opened and read again when it is first wanted:
/// fails if it has changed until then.
GraphOfFile graph_of_onnx(const SourceFile& file);

}  // namespace partita
