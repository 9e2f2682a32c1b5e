// A plain graph, as every tool for neural networks shows one: nodes with an operator's name, attributes, inputs and
// outputs, and values with or without a type. It knows no operator and no framework; what it was made from is named by
// `PlainNode::expression`.
//
// A graph is built once and then only read. Nodes stand in the order of the file that they came from, which means
// something to some partitioners and need not be an order in which they can run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/diagnostic.h"
#include "engine/support/id.h"

namespace partita::relax {
struct Text;  // engine/frontends/relax/to_module.h
}

namespace partita {

using NodeId = Id<struct NodeTag>;
using GraphValueId = Id<struct GraphValueTag>;

struct PlainValue {
    std::string name;            ///< unique within the graph
    std::string dtype;           ///< as the file calls it; "" if it does not say
    std::vector<int64_t> shape;  ///< kDynamicDim where unknown
    bool has_shape = false;
    bool constant = false;  ///< a weight: known before the run
    NodeId producer;        ///< invalid for what the graph is given
};

struct PlainNode {
    std::string name;  ///< may repeat, and may be empty, where the file's format allows it
    std::string op;
    std::string attributes;            ///< a JSON object as text; "" for none
    std::vector<GraphValueId> inputs;  ///< invalid where an input is left out
    std::vector<GraphValueId> outputs;
    std::vector<NodeId> after;  ///< nodes that must run before it, though it uses none of their values
    ExprId expression;          ///< of the module that the graph was made from, or that was made from it
    SourcePosition position;    ///< in the text that was read
};

/// Nodes that the file puts within a border: those of a dataflow block.
struct NodeFrame {
    std::string label;
    std::vector<NodeId> nodes;
};

/// A graph within the file's: the main one, or a body of a node.
struct GraphScope {
    NodeId holder;  ///< that has the body; invalid for the main graph
    std::vector<NodeId> nodes;
    std::vector<GraphValueId> outputs;
};

/// A call of a function, and nodes that may take its place. They make what it makes, and no scope lists them.
struct GraphFunction {
    NodeId call;
    std::vector<NodeId> parts;
    bool is_late = false;  ///< they do so only once no backend took the call as it is
};

struct Graph {
    std::vector<PlainNode> nodes;
    std::vector<PlainValue> values;
    std::vector<GraphValueId> inputs, outputs;
    std::vector<GraphScope> scopes;            ///< the main graph first; none: it has all nodes, and nothing is in them
    std::vector<GraphFunction> functions;      ///< calls before those among their parts
    std::vector<NodeFrame> frames;             ///< none that holds all nodes
    std::weak_ptr<const Module> module;        ///< that the nodes' expressions are of; null: nobody said
    std::shared_ptr<const relax::Text> relax;  ///< of a Relax file: its bindings, blocks and names

    const PlainNode& operator[](NodeId id) const { return nodes[id.value]; }
    const PlainValue& operator[](GraphValueId id) const { return values[id.value]; }
};

/// Makes the graph of the nodes of a module's file, as they stand in it; calls of the module bear their labels. Any
/// thread may call it.
using GraphOfFile = std::function<Result<std::shared_ptr<const Graph>>(const Module& module)>;

/// Which nodes each node waits for and is waited for by, through values and `after`, each once. Building is linear;
/// the answers are views of it.
class NodeLinks {
public:
    explicit NodeLinks(const Graph& graph);

    /// Returns the nodes that `node` waits for, in the order of its inputs.
    std::span<const NodeId> before(NodeId node) const { return of(before_, node); }
    /// Returns the nodes that wait for `node`, in the graph's order.
    std::span<const NodeId> behind(NodeId node) const { return of(behind_, node); }
    size_t size() const { return before_.begin.size() - 1; }

private:
    struct Table {
        std::vector<uint32_t> begin;
        std::vector<NodeId> ids;
    };
    static std::span<const NodeId> of(const Table& table, NodeId node) {
        return {table.ids.data() + table.begin[node.value], table.begin[node.value + 1] - table.begin[node.value]};
    }

    Table before_, behind_;
};

/// Returns the nodes in an order in which they can run, else as near to the graph's own as that allows (Kahn's
/// algorithm, the first ready node first). Fails with the names of a cycle. Linear but for a heap.
Result<std::vector<NodeId>> running_order(const Graph& graph, const NodeLinks& links);

/// Returns the node's name, or "its operator #number" where it has none.
std::string node_title(const Graph& graph, NodeId node);

}  // namespace partita
