// The calls that each node of a plain graph became. A node of a file may be several calls of a module, all of which
// carry its label; one of them is its `expression`.
#pragma once

#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/ir/module.h"

namespace partita {

class NodeCalls {
public:
    NodeCalls(const Graph& graph, const Module& module);

    /// Returns the calls of a node, its expression among them if that is reached.
    std::span<const ExprId> of(NodeId node) const { return calls_[node.value]; }
    /// Returns whether a node is a call, and all of its calls are `taken`.
    template <class Taken>
    bool all_of(NodeId node, Taken taken) const {
        for (ExprId call : of(node))
            if (!taken(call)) return false;
        return !of(node).empty();
    }

private:
    std::vector<std::vector<ExprId>> calls_;
};

/// Returns whether a call decides where its node goes, whose calls are given: of several those that compute; what only
/// gives a value another shape goes along.
bool decides(const Module& module, std::span<const ExprId> calls, ExprId call);

}  // namespace partita
