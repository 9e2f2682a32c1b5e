// A division, and verdicts, as a file states them. {"regions": [{"backend": NAME, "nodes": [NAMES or NUMBERS]}]} is
// what `divide --json` prints; {"backend": NAME, "taken": [...]}, or a list of such in order of priority, are verdicts.
// A number counts the nodes from 1; a name may be a pattern with * and ?, and then stands for all that match. Further
// members are ignored.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/division/division.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

struct JsonValue;

/// Finds nodes by what a file calls them. The graph must outlive it.
class NodeNames {
public:
    explicit NodeNames(const Graph& graph);

    /// Fails, with the position, where a name matches no node, or several though it is no pattern.
    Result<std::vector<NodeId>> find(const JsonValue& place) const;

private:
    std::string meant(const std::string& name) const;

    const Graph& graph_;
    std::unordered_map<std::string_view, std::vector<NodeId>> by_name_;
};

Result<Division> read_division(const Graph& graph, std::string_view text, const std::string& file);
Result<Verdicts> read_verdicts(const Graph& graph, std::string_view text, const std::string& file);

}  // namespace partita
