// A division of a graph: for each node a region or none, and for each region a backend. Any partitioner makes one, any
// file can state one, and whether it is sound is asked of all alike.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace partita::relax {
struct Program;  // engine/frontends/relax/program.h
}

namespace partita {

struct DividedRegion {
    std::string backend;
    std::vector<NodeId> nodes;                  ///< in the partitioner's order
    std::vector<GraphValueId> inputs, outputs;  ///< what it takes from outside, and what is wanted outside
};

/// Why something is as it is, as the partitioner recorded it when it decided.
struct DivisionNote {
    NodeId subject;
    NodeId other;               ///< a node of the same backend that `subject` uses, in another region; invalid if the
                                ///< note says why `subject` is in no region though its backend takes it
    const char* form = "";      ///< a clause, marked by SENTENCE("Engine", ...)
    std::vector<NodeId> named;  ///< for its placeholders
};

/// What a backend's pattern took while the partitioner divided, or what it matched though its check is false.
struct DivisionMatch {
    std::string pattern;  ///< its name
    NodeId root;
    std::vector<NodeId> nodes;  ///< with the root
    bool taken = false;
};

struct Division {
    std::vector<DividedRegion> regions;  ///< in the partitioner's order
    std::vector<DivisionMatch> matches;  ///< of a partitioner that asks patterns by itself
    std::vector<DivisionNote> notes;     ///< one at most for each subject and pair
    std::string error;                   ///< with what the original ends instead of a division; "" if it does not
    std::shared_ptr<const relax::Program> relax;  ///< of a Relax file: the program that the partitioner made of it
};

/// Fills in a region's inputs (no constants) and outputs, each in the order of its nodes and theirs. Linear in them.
class RegionBoundary {
public:
    explicit RegionBoundary(const Graph& graph);
    void fill(DividedRegion& region);

private:
    const Graph& graph_;
    std::vector<std::vector<uint32_t>> users_;  ///< by GraphValueId; UINT32_MAX: the graph's result
    std::vector<uint32_t> inside_, seen_;       ///< by NodeId, by GraphValueId: the number of the region that met it
    uint32_t region_ = 0;
};

/// Fills in the regions that have neither inputs nor outputs yet.
void complete_boundaries(const Graph& graph, Division& division);

/// Regions that wait for each other, so that no order of running them exists.
struct Unsound {
    std::vector<uint32_t> regions;  ///< those of the path, in its order, each once
    /// Leads from a node of the first region back to one of it. Each node waits for the one before it or belongs to the
    /// same region.
    std::vector<NodeId> path;
    std::string reason;  ///< what else is wrong: a node that stands twice; "" for a cycle
};

/// Returns why the division is not sound; empty if it is: every node stands in at most one region, and no region waits
/// for itself through others. What a body does belongs to the region of the node that holds it, as far as it is in no
/// other. One cycle is named for each set of regions that are entangled. Linear.
std::vector<Unsound> check_division(const Graph& graph, const NodeLinks& links, const Division& division);

/// Returns the region of each node, or -1; of a node that stands twice the first.
std::vector<int32_t> regions_by_node(const Graph& graph, const Division& division);
/// The same where what is in a node, as bodies or as the parts of a function, goes with it unless it is in a region.
std::vector<int32_t> with_contents(const Graph& graph, std::vector<int32_t> region_of);

}  // namespace partita
