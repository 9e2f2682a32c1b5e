// A plain graph as torch.fx holds one (torch/fx/graph.py, node.py): inputs and constants are nodes too, in front of
// whoever uses them, and what is returned is used by a last node `output`. A graph that has such nodes (`placeholder`,
// `get_attr`, `output`) keeps them; where they are missing they are added.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/partitioners/partitioner.h"

namespace partita {

struct FxNode {
    NodeId node;                          ///< of the plain graph, of a group its first; invalid for one that was added
    std::string_view target;              ///< `torch.ops.aten.add.Tensor`
    bool is_call = false;                 ///< none of placeholder, get_attr, output
    bool is_constant = false;             ///< get_attr
    std::vector<uint32_t> inputs, users;  ///< each once; the users in the graph's order

    bool is_getitem() const { return target == "_operator.getitem" || target == "operator.getitem"; }
};

class FxGraph {
public:
    /// Nodes are in the file's order where it is one in which they can run, else in the nearest that is. Fails with the
    /// names of a cycle. The graph must outlive this. Linear.
    static Result<FxGraph> of(const Graph& graph, const NodeLinks& links);

    /// Returns the graph with each group of positions as one node, as a lowered partition is; itself where the groups
    /// wait for each other.
    FxGraph contracted(const std::vector<std::vector<uint32_t>>& groups) const;

    uint32_t size() const { return uint32_t(nodes_.size()); }
    const FxNode& operator[](uint32_t i) const { return nodes_[i]; }

    /// Returns what is behind `from` through any number of uses, `from` left out unless `also_these`; stops at the
    /// first that `ends` holds of.
    template <class Ends>
    bool reaches(const std::vector<uint32_t>& from, bool also_these, Ends ends) const {
        return walk(from, also_these, &FxNode::users, ends);
    }
    /// The same against the uses.
    template <class Ends>
    bool is_reached(const std::vector<uint32_t>& from, bool also_these, Ends ends) const {
        return walk(from, also_these, &FxNode::inputs, ends);
    }

private:
    friend class FxGraphBuilder;
    template <class Ends>
    bool walk(const std::vector<uint32_t>& from, bool also_these, std::vector<uint32_t> FxNode::*along,
              Ends ends) const {
        met_.resize(nodes_.size());
        ++walk_;
        std::vector<uint32_t> queue;
        const auto meet = [&](uint32_t node) {
            if (met_[node] == walk_) return false;
            met_[node] = walk_;
            queue.push_back(node);
            return bool(ends(node));
        };
        for (uint32_t start : from) {
            if (also_these && meet(start)) return true;
            if (also_these) continue;
            for (uint32_t next : nodes_[start].*along)
                if (meet(next)) return true;
        }
        for (size_t i = 0; i < queue.size(); ++i)
            for (uint32_t next : nodes_[queue[i]].*along)
                if (meet(next)) return true;
        return false;
    }

    std::vector<FxNode> nodes_;
    mutable std::vector<uint32_t> met_;  ///< by node: the walk that met it last; a graph is asked by one thread
    mutable uint32_t walk_ = 0;
};

/// Returns the positions of what a backend takes, nothing that `taken` (by NodeId) holds.
std::vector<bool> supported_by(const FxGraph& graph, const Verdicts::OfBackend& backend,
                               const std::vector<bool>& taken);

/// A list "OP,OP".
std::vector<std::string_view> listed(std::string_view list);

}  // namespace partita
