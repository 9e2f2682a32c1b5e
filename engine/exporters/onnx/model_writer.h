// Modules as ONNX models (IR version 8, operator set 17: ONNX 1.12). Time and memory are linear in the module; weights
// are not copied.
//
// Sub-functions of backends become model-local functions of the domain `ai.partita.<backend>`, composite functions in
// them functions of the same domain; the metadata of the model name the backend of each. Other functions of the module
// get the domain `ai.partita`; function literals are inlined.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/exporters/onnx/call.h"
#include "engine/passes/scopes.h"
#include "engine/support/cancel.h"

namespace partita::onnx_export {

/// Returns the tensors in a type, from first to last.
std::vector<TypeId> tensors_of(const TypeTable& types, TypeId type);
/// Returns the expressions that `root` needs, operands before users, without the content of function literals.
std::vector<ExprId> body_order(const Module& module, ExprId root);

class ModelWriter {
public:
    /// `external`, if given, receives large weights and must outlive the writer.
    ModelWriter(const Module& module, CancelToken cancel, ExternalFile* external = nullptr)
        : module_(module), cancel_(std::move(cancel)), external_(external) {}

    struct FunctionName {
        std::string domain, name;
    };

    const Module& module() const { return module_; }
    const CancelToken& cancel() const { return cancel_; }
    /// Writes a function of the module once, and returns its name.
    FunctionName function(ExprId function, std::string_view name, std::string_view domain);
    /// Returns a graph that computes a function. The function's attribute `output_tensor_names` names the results;
    /// otherwise they are "output", or "output_0", "output_1", ...
    Graph graph_of(ExprId function);
    /// Returns a ModelProto with the functions written so far.
    Message model(Graph& graph, std::string_view title);
    void add_metadata(std::string key, std::string value) { metadata_.emplace_back(std::move(key), std::move(value)); }
    /// Records what cannot be written; all problems end up in one Refusal.
    void add_problem(const std::string& problem);
    void refuse_problems() const;
    /// Where the expressions of the module are evaluated.
    const ScopeTable& scopes();

private:
    const Module& module_;
    CancelToken cancel_;
    ExternalFile* external_;
    std::vector<Message> functions_;
    std::unordered_map<ExprId, FunctionName> names_;
    std::set<std::string> taken_;
    std::map<std::string, int64_t> domains_;  ///< operator sets of the functions, with versions
    std::set<ExprId> in_progress_;
    std::vector<std::pair<std::string, std::string>> metadata_;
    std::map<std::string, int> problems_;
    std::optional<ScopeTable> scopes_;
};

/// Writes expressions of one function into a graph.
class BodyWriter : public ValueNames {
public:
    /// Names unknown here are looked up in `parent`.
    BodyWriter(ModelWriter& model, Graph& graph, std::string domain, BodyWriter* parent = nullptr)
        : model_(model), module_(model.module()), graph_(graph), domain_(std::move(domain)), parent_(parent) {}

    void bind(ExprId expr, Names names) { names_[expr] = std::move(names); }
    /// Makes a graph input for each tensor of a parameter.
    void bind_parameter(ExprId var);
    /// Writes the body of a function: what a branch alone uses is written in that branch, so that it runs only where
    /// the branch is taken.
    void write(std::span<const ExprId> order);
    const Names& names_of(ExprId expr) override;
    size_t uses(ExprId expr) const override;
    /// Returns the values of an expression with their types.
    std::vector<Value> values_of(ExprId expr);

private:
    void write_each(std::span<const ExprId> exprs);
    bool is_known(ExprId expr) const;
    void check_depth() const;
    Names written(ExprId expr);
    Names written_call(ExprId expr);
    Names call_function(ExprId call, ExprId function, std::string_view name, std::string_view domain);
    Names call_in_place(ExprId call, ExprId function);
    Names written_if(ExprId expr);
    std::vector<Value> write_branch(ExprId result);
    Names projected(ExprId expr);
    std::string hint(ExprId expr) const;

    ModelWriter& model_;
    const Module& module_;
    Graph& graph_;
    std::string domain_;  ///< of the function being written; "" for the graph itself
    BodyWriter* parent_;
    std::unordered_map<ExprId, Names> names_;
    std::unordered_map<ExprId, size_t> uses_;
    std::unordered_map<ExprId, ExprId> let_values_;
    std::unordered_map<uint32_t, std::vector<ExprId>> in_branches_;  ///< by branch, what is evaluated in it
    bool is_branch_ = false;                                         ///< of the body that `parent_` writes
};

/// The largest message that protobuf reads.
inline constexpr uint64_t kLargestMessage = (uint64_t(1) << 31) - 1;

struct ModelFiles {
    std::vector<Piece> model;
    std::string weights_name;  ///< "" if the model contains its weights
    std::vector<Piece> weights;
};
/// Returns a model of at most `largest` bytes, to be stored in `file`. The weights of a larger one go into a second
/// file beside it. `build` makes the ModelProto; it may run twice. If `file` is empty, a larger model is a Refusal.
ModelFiles model_files(const std::function<Message(ExternalFile*)>& build, const std::string& file,
                       uint64_t largest = kLargestMessage);

/// Returns @main, or the only function. Refusal if there is neither.
ExprId entry_function(const Module& module);

}  // namespace partita::onnx_export
