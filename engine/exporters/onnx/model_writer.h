// Modules as ONNX models (IR version 8, operator set 17: ONNX 1.12). Time and memory are linear in the module; weights
// are not copied.
//
// Sub-functions of backends become model-local functions of the domain `ai.partita.<backend>`, composite functions
// inside them functions of the same domain; the model's metadata name the backend of each. Other functions of the
// module are of the domain `ai.partita`; function literals are written in place.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/exporters/onnx/call.h"
#include "engine/support/cancel.h"

namespace partita::onnx_export {

/// The tensors in a type, from first to last.
std::vector<TypeId> tensors_of(const TypeTable& types, TypeId type);
/// All expressions that `root` needs, operands before users; function literals are not entered.
std::vector<ExprId> body_order(const Module& module, ExprId root);

class ModelWriter {
public:
    /// Large weights go into `external` where it is given; it must live as long as the writer.
    ModelWriter(const Module& module, CancelToken cancel, ExternalFile* external = nullptr)
        : module_(module), cancel_(std::move(cancel)), external_(external) {}

    struct FunctionName {
        std::string domain, name;
    };

    const Module& module() const { return module_; }
    const CancelToken& cancel() const { return cancel_; }
    /// Writes a function of the module, once, and tells how it is called.
    FunctionName function(ExprId function, std::string_view name, std::string_view domain);
    /// A graph that computes a function. Its results are named as the function's attribute `output_tensor_names` says,
    /// else "output", or "output_0", "output_1", ...
    Graph graph_of(ExprId function);
    /// A ModelProto with the functions written so far.
    Message model(Graph& graph, std::string_view title);
    void add_metadata(std::string key, std::string value) { metadata_.emplace_back(std::move(key), std::move(value)); }
    /// What can't be written; ends as one Refusal.
    void add_problem(const std::string& problem);
    void refuse_problems() const;

private:
    const Module& module_;
    CancelToken cancel_;
    ExternalFile* external_;
    std::vector<Message> functions_;
    std::unordered_map<ExprId, FunctionName> names_;
    std::set<std::string> taken_, domains_;
    std::set<ExprId> in_progress_;
    std::vector<std::pair<std::string, std::string>> metadata_;
    std::map<std::string, int> problems_;
};

/// Writes expressions of one function into a graph.
class BodyWriter : public ValueNames {
public:
    /// Names that are not known here are the parent's.
    BodyWriter(ModelWriter& model, Graph& graph, std::string domain, BodyWriter* parent = nullptr)
        : model_(model), module_(model.module()), graph_(graph), domain_(std::move(domain)), parent_(parent) {}

    void bind(ExprId expr, Names names) { names_[expr] = std::move(names); }
    /// Makes a graph input for each tensor of a parameter.
    void bind_parameter(ExprId var);
    void write(std::span<const ExprId> order);
    const Names& names_of(ExprId expr) override;
    size_t uses(ExprId expr) const override;
    /// The values of an expression with their types.
    std::vector<Value> values_of(ExprId expr);
    const std::set<std::string>& called_domains() const { return called_domains_; }

private:
    Names written(ExprId expr);
    Names written_call(ExprId expr);
    Names call_function(ExprId call, ExprId function, std::string_view name, std::string_view domain);
    Names call_in_place(ExprId call, ExprId function);
    Names written_if(ExprId expr);
    Names projected(ExprId expr);
    std::string hint(ExprId expr) const;

    ModelWriter& model_;
    const Module& module_;
    Graph& graph_;
    std::string domain_;  ///< of the function that is being written; "" for the graph itself
    BodyWriter* parent_;
    std::unordered_map<ExprId, Names> names_;
    std::unordered_map<ExprId, size_t> uses_;
    std::unordered_map<ExprId, ExprId> let_values_;
    std::set<std::string> called_domains_;
};

/// What protobuf reads at most.
inline constexpr uint64_t kLargestMessage = (uint64_t(1) << 31) - 1;

struct ModelFiles {
    std::vector<Piece> model;
    std::string weights_name;  ///< "" where the model holds its weights itself
    std::vector<Piece> weights;
};
/// A model of at most `largest` bytes that will stand in `file`: where it would be larger, its weights go into a file
/// beside it. `build` makes the ModelProto, a second time then. With `file` empty larger ones are a Refusal.
ModelFiles model_files(const std::function<Message(ExternalFile*)>& build, const std::string& file,
                       uint64_t largest = kLargestMessage);

/// @main, or the only function; Refusal where there is neither.
ExprId entry_function(const Module& module);

}  // namespace partita::onnx_export
