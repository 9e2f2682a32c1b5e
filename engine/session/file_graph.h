// The nodes of a file as the file names them, for what is said and decided about the file itself.
#pragma once

#include <memory>
#include <vector>

#include "engine/frontends/program_report.h"
#include "engine/partitioners/partitioner.h"
#include "engine/session/divide.h"

namespace partita {

/// A graph that the file holds: the main one, or a body. Values and nodes are those of FileGraph::graph.
struct GraphScope {
    NodeId holder;  ///< that has the body; invalid for the main graph
    std::vector<NodeId> nodes;
    std::vector<GraphValueId> outputs;
};

struct FileGraph {
    std::vector<FileNode> nodes;
    std::shared_ptr<const Graph> graph;  ///< all nodes in the same order, those of bodies beside those that hold them
    std::vector<GraphScope> scopes;      ///< the main graph first, bodies behind what they are in
};

/// Returns the graph of an ONNX file as it stands, or else the graph of the input. Each node has an expression where
/// the module has one for it.
Result<FileGraph> file_graph(const OpenedInput& opened);

/// Divides each graph by itself, bodies first, as ONNX Runtime does: a node that holds one uses what the body takes
/// from around it. Regions are sorted by their backends.
Result<Division> divide_scopes(const FileGraph& file, const Partitioner& partitioner, const Verdicts& verdicts,
                               const std::map<std::string, std::string, std::less<>>& options,
                               const CancelToken& cancel);

/// Returns what is not sound in a division of the file's nodes. What a body does belongs to the region of the node that
/// holds it, as far as it is in no other.
std::vector<Unsound> check_division(const FileGraph& file, Division division);

}  // namespace partita
