// The graph of one function as the canvas shows it: plain values, made from a module on a worker, never changed.
//
// Operators, globals and literal functions in callee position are part of their call; let-bound names stand for their
// values; weights and constants can be folded into their users. Nodes are in topological order. Knows nothing of
// widgets, backends or places.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <QSizeF>
#include <QString>

#include "engine/ir/module.h"

namespace partita {

enum class GraphNodeKind : uint8_t {
    Call,         ///< of an operator
    Composite,    ///< of a literal function that a pattern made
    SubFunction,  ///< of a function of the module
    Tuple,
    Projection,
    Parameter,
    Constant,
    Function,  ///< a literal function as a value
    Control,   ///< if and references
};

struct GraphNode {
    ExprId expr;    ///< in the model's module
    ExprId origin;  ///< in the module that the flow started from; invalid for what a pass made up
    GraphNodeKind kind = GraphNodeKind::Call;
    bool is_output = false;
    QString title;   ///< the operator's name
    QString detail;  ///< attributes that are not at their defaults, folded inputs
    QString type;    ///< of the result, short: "1x64x56x56 f32"
    QSizeF size;
};

struct GraphEdge {
    uint32_t from = 0, to = 0;
    uint32_t argument = 0;  ///< which operand of `to`
};

struct GraphModelOptions {
    bool show_weights = false;    ///< parameters that are weights, and constants, as nodes of their own
    bool show_attributes = true;
    bool show_types = true;
    bool operator==(const GraphModelOptions&) const = default;
};

struct GraphModel {
    ModulePtr module;
    ExprId function;
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    std::vector<int32_t> node_of_expr;  ///< by ExprId of the module; -1 where it is not shown

    /// Edges that leave and enter each node: indices into `edges`.
    std::span<const uint32_t> outgoing(uint32_t node) const {
        return {out_list.data() + out_begin[node], out_begin[node + 1] - out_begin[node]};
    }
    std::span<const uint32_t> incoming(uint32_t node) const {
        return {in_list.data() + in_begin[node], in_begin[node + 1] - in_begin[node]};
    }
    /// The node of an expression, or -1.
    int32_t node_of(ExprId expr) const {
        return expr.valid() && expr.value < node_of_expr.size() ? node_of_expr[expr.value] : -1;
    }

    std::vector<uint32_t> out_begin, out_list, in_begin, in_list;
};

using GraphModelPtr = std::shared_ptr<const GraphModel>;

/// Linear in the size of the module.
GraphModelPtr build_graph_model(ModulePtr module, ExprId function, const GraphModelOptions& options = {});

/// "1x64x56x56 f32", "f32" for a scalar, "(..., ...)" for a tuple.
QString short_type(const Module& module, TypeId type);
/// Attributes that are not at their defaults: "k 3x3, s 2x2, p 1". At most `limit` characters.
QString short_attributes(const Module& module, ExprId call, int limit = 40);
/// The sub-function that a call calls, or an invalid id; and the literal function that it calls.
ExprId called_function(const Module& module, ExprId call);

}  // namespace partita
