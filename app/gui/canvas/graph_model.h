// The graph of one function as the canvas shows it: plain values, made from a module on a worker, never changed.
//
// Operators, globals and literal functions in callee position are part of their call; let-bound names stand for their
// values; weights and constants can be folded into their users. Nodes are in topological order. Knows nothing of
// widgets, backends or places.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <QFont>
#include <QHash>
#include <QMap>
#include <QSizeF>
#include <QString>

#include "engine/graph/graph.h"
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
    Group,     ///< several nodes shown as one: see graph_groups.h
};

struct GraphNode {
    ExprId expr;    ///< in the model's module
    ExprId origin;  ///< in the module that the flow started from; invalid for what a pass made up
    GraphNodeKind kind = GraphNodeKind::Call;
    bool is_output = false;
    QString title;   ///< the operator's name
    QString name;    ///< that the file gives it, where names are shown
    QString detail;  ///< attributes that are not at their defaults, folded inputs
    QString type;    ///< of the result, short: "1x64x56x56 f32"
    QSizeF size;
    int32_t group = -1;  ///< of a Group: index into the model's groups
};

struct GraphEdge {
    uint32_t from = 0, to = 0;
    uint32_t argument = 0;  ///< which operand of `to`; beyond all of them for one into or out of a body
    float bytes = 0;        ///< of what flows along it; 0 where the size is not known
};

struct GraphModelOptions {
    bool show_weights = false;    ///< parameters that are weights, and constants, as nodes of their own
    bool show_attributes = true;  ///< those that are not at their defaults
    /// By "nn.conv2d.strides": true for one that is always shown, false for one that never is.
    QMap<QString, bool> attributes;
    bool show_types = true;
    bool show_names = false;         ///< those of the file, where it has some
    bool hide_casts = false;         ///< an operator that is hidden stands for its first input: edges go on past it
    bool hide_shapes = false;        ///< reshape, transpose and their like
    bool hide_quantization = false;  ///< quantize, dequantize and requantize
    bool show_annotations = true;    ///< false: compiler_begin and compiler_end stand for what they mark
    bool operator==(const GraphModelOptions&) const = default;
};

struct GraphModel;
using GraphModelPtr = std::shared_ptr<const GraphModel>;
struct GroupTree;

/// The nodes of an opened group that are shown, with a frame round them.
struct GraphFrame {
    int32_t group = -1;  ///< index into the groups
    QString label;
};

/// What runs only where a condition holds, or only where it does not, what a call of another program's operator runs,
/// or what the file puts within a border.
struct GraphBranch {
    std::string label;            ///< "then", "else", "body", "dataflow", or as the file calls it
    std::vector<uint32_t> nodes;  ///< ascending; of a condition without parameters and constants
    int32_t outer = -1;           ///< the branch that it is in
};

struct GraphModel {
    ModulePtr module;
    ExprId function;
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    std::vector<int32_t> node_of_expr;  ///< by ExprId of the module; -1 where it is not shown
    std::vector<GraphBranch> branches;  ///< inner ones first; none in groups

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

    /// The node of an expression of the module that the flow started from, or -1.
    int32_t node_of_origin(ExprId origin) const {
        return origin.valid() && origin.value < node_of_origin_.size() ? node_of_origin_[origin.value] : -1;
    }

    std::vector<uint32_t> out_begin, out_list, in_begin, in_list;
    std::vector<int32_t> node_of_origin_;  ///< by ExprId::value of origins

    // Of a model some of whose nodes are groups, made by collapse_graph.
    GraphModelPtr full;                               ///< the model with a node for each; null if this is one
    std::shared_ptr<const GroupTree> groups;          ///< null if there are none
    std::vector<uint32_t> member_begin, member_list;  ///< nodes of `full` by node of this
    std::vector<int32_t> frame_of;  ///< by node: the innermost opened group, index into frames, or -1; may be empty
    std::vector<GraphFrame> frames;

    /// The nodes of `full` that a node stands for.
    std::span<const uint32_t> members(uint32_t node) const {
        return {member_list.data() + member_begin[node], member_begin[node + 1] - member_begin[node]};
    }
    const GraphModel& whole() const { return full ? *full : *this; }
    /// Fills the lists of edges by node and `node_of_origin_`: the last step of making a model.
    void index_edges();
};

/// Linear in the size of the module. `file`: what the module was made from, whose frames are shown; or null.
GraphModelPtr build_graph_model(ModulePtr module, ExprId function, const GraphModelOptions& options = {},
                                const Graph* file = nullptr);

/// Sizes of nodes by their text. Not for several threads at once.
class NodeMeasure {
public:
    NodeMeasure();
    QSizeF size_of(const GraphNode& node);

private:
    double width_of(const QString& text, bool title);

    QFont title_font_, detail_font_;
    QHash<QString, double> title_width_, detail_width_;
};

/// "1x64x56x56 f32", "f32" for a scalar, "(..., ...)" for a tuple.
QString short_type(const Module& module, TypeId type);
/// The attributes that a node shows: "kernel 3x3, stride 2x2, pad 1". At most 40 characters, or twice as many where
/// somebody chose them.
QString short_attributes(const Module& module, ExprId call, const GraphModelOptions& options);

}  // namespace partita
