// The import of one ONNX model: its graph's nodes in order, each by its converter, else as a call by its name.
// Functions of the model are inlined, except those of a partition that Partita wrote; bodies of If, Loop and Scan that
// no converter takes become functions of the module. Internal to this folder.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/frontends/onnx/builder.h"
#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/dimension_values.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/ops/foreign.h"

namespace partita::onnx {

/// An error of the model itself, which ends the import.
struct Refused {
    std::string message;
};

/// The values that a graph defines. One that is defined and not valid is an input that a call of a function leaves out.
struct Scope {
    Scope* parent = nullptr;
    std::unordered_map<std::string_view, ExprId> values;
    /// Of a body that becomes a function: what stands in it for a value from around it.
    std::function<ExprId(ExprId)> capture = nullptr;

    std::optional<ExprId> find(std::string_view name) const {
        const auto it = values.find(name);
        if (it != values.end()) return it->second;
        const std::optional<ExprId> outer = parent ? parent->find(name) : std::nullopt;
        return outer && outer->valid() && capture ? capture(*outer) : outer;
    }
};

/// What the nodes of a function's body, or of a node's subgraph, mean in one call of it.
struct Frame {
    const Function* function = nullptr;  ///< null in the model's graph
    const Node* call = nullptr;          ///< with its own references replaced
    std::string name;  ///< of the call or the node around the body, in front of the names of its nodes; "" for none
    int64_t opset = 0;
    std::map<std::string_view, int64_t> versions;  ///< of other operator sets
    int depth = 0;                                 ///< of calls of functions within functions
    int bodies = 0;                                ///< of bodies that become functions within each other

    /// Returns the value of one of the function's attributes; null where the call leaves it out and it has no default.
    const Attribute* attribute(std::string_view wanted) const {
        if (const Attribute* given = call->attribute(wanted)) return given;
        for (const Attribute& attribute : function->defaults)
            if (attribute.name == wanted) return &attribute;
        return nullptr;
    }
};

/// While it lives, names of nodes stand behind this one.
class Within {
public:
    Within(Frame& frame, std::string name) : frame_(frame), outer_(std::exchange(frame.name, std::move(name))) {}
    ~Within() { frame_.name = std::move(outer_); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

private:
    Frame& frame_;
    std::string outer_;
};

/// While it lives, nodes are those of a function's body.
class Inside {
public:
    Inside(Frame& frame, const Function& function, const Node& call, std::string name) : frame_(frame), caller_(frame) {
        frame_.function = &function;
        frame_.call = &call;
        frame_.name = std::move(name);
        ++frame_.depth;
    }
    ~Inside() { frame_ = std::move(caller_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    Frame& frame_;
    Frame caller_;
};

/// The name of a function in maps: domain, name and overload.
using FunctionKey = std::tuple<std::string_view, std::string_view, std::string_view>;

FunctionKey key_of(std::string_view domain, std::string_view name, std::string_view overload);
/// Returns a name behind that of what it is in, unless it stands there already.
std::string name_within(const std::string& outer, std::string_view name);
std::string relay_name(std::string_view onnx_name);

/// Generates unique names of one kind.
class RelayNames {
public:
    RelayNames(std::initializer_list<std::string> taken = {}) : taken_(taken) {}

    std::string take(std::string_view onnx_name) {
        const std::string base = relay_name(onnx_name);
        std::string name = base;
        while (!taken_.insert(name).second) name = base + "_" + std::to_string(++tried_[base]);
        return name;
    }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, int> tried_;  ///< the last number tried for a name, of which there may be many
};

/// The metadata about a function in a model that Partita wrote: a region's backend, or a composite's name.
struct PartitionMark {
    std::string backend, composite;
};

/// A body of a node that no converter takes.
struct ImportedBody {
    std::vector<ExprId> parameters;                 ///< the body's own
    std::unordered_map<ExprId, ExprId> stands_for;  ///< by value from around it: the parameter that is it here
    std::vector<ExprId> results;
};

/// Imports one model, its named dimensions given.
class GraphImporter {
public:
    GraphImporter(const OnnxOptions& options, const DimensionValues& sizes, size_t file_bytes)
        : options_(options), sizes_(sizes), builder_(result_.module) {
        builder_.note_given(int64_t(file_bytes));
        std::filesystem::path folder = std::filesystem::path(options.file).parent_path();
        external_.folder = options.file.empty() ? "" : folder.empty() ? "." : folder.string();
    }

    OnnxImport import(const Model& model);
    /// Where the graph computes another size than a name of the model says, once for each name.
    const std::vector<DimensionMismatch>& mismatches() const { return mismatches_; }

private:
    void read_operator_sets(std::span<const OperatorSet> sets);
    void define(Scope& scope, std::string_view name, ExprId value);
    void add_initializers(const Graph& graph, Scope& scope);
    void add_inputs(const Graph& graph, Scope& scope);
    ExprId add_parameter(const std::string& onnx_name, DataType dtype, const std::vector<int64_t>& shape);
    std::vector<int64_t> input_shape(const ValueInfo& info);
    void compare_sizes(const Graph& graph, const Scope& scope);
    void compare_size(const ValueInfo& info, ExprId value);
    void note_types(const Graph& graph);
    void convert_nodes(std::span<const Node> nodes, Scope& scope);
    void convert_node(const Node& written, Scope& scope);
    Node with_values_of_attributes(const Node& node) const;
    std::vector<ExprId> convert_or_explain(const Node& node, std::vector<ExprId> inputs, Scope& scope);
    std::vector<ExprId> convert_subgraph(const Graph& graph, std::span<const ExprId> inputs, Scope& scope);
    std::vector<ExprId> call_function(const Function& function, const Node& node, std::span<const ExprId> inputs);
    std::vector<ExprId> inline_function(const Function& function, const Node& node, std::span<const ExprId> inputs,
                                        const std::string& name);
    std::vector<ExprId> call_partitioned(const Function& function, const Node& node, std::span<const ExprId> inputs,
                                         const PartitionMark& mark);
    ExprId partitioned_callee(const Function& function, ExprId made, const PartitionMark& mark);
    int64_t version_of(std::string_view domain) const {
        const auto stated = frame_.versions.find(domain);
        return stated == frame_.versions.end() ? 1 : stated->second;
    }
    std::vector<ExprId> opaque(const Node& node, std::span<const ExprId> inputs, const std::string& reason,
                               Scope* scope);
    void add_bodies(const Node& node, Scope& scope, ForeignCall& call, std::vector<ExprId>& inputs);
    ImportedBody convert_body(const Graph& graph, std::span<const ExprId> inputs, Scope& scope,
                              std::vector<ExprId>& captured);
    void keep_bodies(ExprId result);
    void add_body(const std::string& name, ImportedBody& body, std::span<const ExprId> captured);
    ExprId unread(const char* what, std::string_view name, const std::string& type);
    void note_missing_files();
    TypeId stated_type(std::string_view value);
    std::vector<ExprId> outputs_of(const Graph& graph, Scope& scope);
    void finish(std::span<const ExprId> outputs);

    const OnnxOptions& options_;
    const DimensionValues& sizes_;
    std::vector<DimensionMismatch> mismatches_;
    OnnxImport result_;
    Builder builder_;
    ExternalData external_;
    Frame frame_;
    std::vector<ExprId> parameters_;
    RelayNames parameter_names_, function_names_{"main"};
    std::unordered_map<std::string_view, const ValueInfo*> stated_;
    std::unordered_map<std::string, ExprId> bodies_made_;  ///< by name
    std::map<FunctionKey, const Function*> functions_;
    std::unordered_map<std::string_view, PartitionMark> marks_;  ///< by name of the function
    size_t nodes_ = 0, written_ = 0;  ///< nodes converted so far, and those of the main graph
};

}  // namespace partita::onnx
