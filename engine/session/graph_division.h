// Dividing a file's plain graph by any partitioner of the table, as the command line and Python do.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/partitioners/partitioner.h"
#include "engine/session/divide.h"

namespace partita {

/// Returns the graph of an opened file: that of the file itself where it is a plain graph, else of what is divided.
std::shared_ptr<const Graph> graph_of(const OpenedInput& input);

/// Carries out the rewriting that is requested (--simplify, --fold, --lower), so that the graph is of what is divided.
Status rewrite_first(OpenedInput& input, DivideRequest& request);

struct GraphDivideRequest {
    std::string partitioner;
    std::map<std::string, std::string, std::less<>> options;
    std::string verdicts;  ///< a file; "": the backends are asked
    DivideRequest divide;  ///< the backends and how they are asked; of `tvm` all of it
    /// Whose nodes are those of the graph: says who takes what, where nothing else does.
    ReportedPtr reported = nullptr;
};

Result<Division> divide_graph(const OpenedInput& input, const Graph& graph, const GraphDivideRequest& request,
                              std::vector<Diagnostic>& notes);

/// Returns "regions", each with backend, nodes, inputs and outputs, and "dnnl #17" where `module`, of which the graph
/// is, has numbers for its nodes.
nlohmann::ordered_json division_json(const Graph& graph, const Division& division, const Module& module);
/// Returns a list of {"regions", "path"}, with "reason" where it is not a cycle.
nlohmann::ordered_json unsound_json(const Graph& graph, const std::vector<Unsound>& unsound);
/// Returns one sentence about what is not sound.
std::string unsound_text(const Graph& graph, const Division& division, const Unsound& unsound);

/// Returns the tags of PyTorch's partitioners, "tag0" for the first region: JSON {"tags": {NODE: TAG}, "backends":
/// {TAG: BACKEND}}, or, as Python, a function that sets them.
std::string division_tags(const Graph& graph, const Division& division, bool as_python);

/// Writes a LiteRT file again with its operators in an order in which those of a region stand together: what a compiler
/// plug-in is then given. Fails for other files, and where the division is not sound.
Status write_in_order_of_regions(const OpenedInput& input, const Graph& graph, const Division& division,
                                 const std::string& path);

}  // namespace partita
