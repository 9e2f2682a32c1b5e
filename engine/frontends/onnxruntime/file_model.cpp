// The nodes of an ONNX file as the runtime counts and names them.
#include <algorithm>
#include <map>
#include <set>

#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/onnxruntime/reports.h"

namespace partita::onnxruntime {

namespace {

/// A node in the body of a function; values by their names in it.
struct PartNode {
    std::string_view name, op;
    std::vector<std::string_view> inputs, outputs;
    std::string_view domain = {};
};
struct FunctionBody {
    std::vector<std::string_view> inputs, outputs;
    std::vector<PartNode> nodes;
};

/// Operators for which 1.30 has no kernel on the CPU, as what ONNX defines them by (Operators.md). It has none for
/// Bernoulli, CenterCropPad, GroupNormalization, Swish and two losses either, whose bodies hang on shapes or types.
const std::map<std::string_view, FunctionBody>& late_functions() {
    static const std::map<std::string_view, FunctionBody> all = {
        {"HardSwish", {{"X"}, {"Y"}, {{"", "HardSigmoid", {"X"}, {"HS_X"}}, {"", "Mul", {"X", "HS_X"}, {"Y"}}}}},
        {"Mish",
         {{"X"},
          {"Y"},
          {{"", "Softplus", {"X"}, {"Softplus_X"}},
           {"", "Tanh", {"Softplus_X"}, {"TanHSoftplusX"}},
           {"", "Mul", {"X", "TanHSoftplusX"}, {"Y"}}}}},
        {"CastLike", {{"input", "target_type"}, {"output"}, {{"", "Cast", {"input"}, {"output"}}}}},
    };
    return all;
}

class ModelReader {
public:
    explicit ModelReader(const onnx::Model& model) {
        for (const onnx::Function& function : model.functions) {
            FunctionBody body{function.inputs, function.outputs, {}};
            for (const onnx::Node& node : function.nodes)
                if (node.op_type != "Constant")
                    body.nodes.push_back({node.name, node.op_type, node.inputs, node.outputs, node.domain});
            functions_.emplace(std::pair(function.domain, function.name), std::move(body));
        }
        add_scope(model.graph, -1, "");
        for (size_t i = 0; i < calls_.size(); ++i) expand(calls_[i].first, *calls_[i].second);
    }
    FileModel take() { return std::move(made_); }

private:
    /// Adds a graph; `holder` is the number of the node whose body it is, -1: none. At most 64 levels: parse_model.
    void add_scope(const onnx::Graph& graph, int64_t holder, const std::string& outer) {
        const size_t scope = made_.scopes.size();
        FileScope made;
        made.holder = holder;
        for (const auto* list : {&graph.initializers, &graph.sparse_initializers})
            for (const onnx::TensorProto& tensor : *list) {
                made.constants.emplace_back(tensor.name);
                made.constant_types.emplace_back(onnx::data_type_of(tensor.data_type).to_string(), tensor.dims);
            }
        for (const onnx::Node& node : graph.nodes)
            if (node.op_type == "Constant")
                made.constants.insert(made.constants.end(), node.outputs.begin(), node.outputs.end());
        std::set<std::string> constants(made.constants.begin(), made.constants.end());
        for (const onnx::ValueInfo& info : graph.inputs)
            if (!constants.contains(std::string(info.name))) made.inputs.emplace_back(info.name);
        for (const onnx::ValueInfo& info : graph.outputs) made.outputs.emplace_back(info.name);
        made_.scopes.push_back(std::move(made));
        int64_t index = 0;
        for (const onnx::Node& node : graph.nodes) {
            if (node.op_type == "Constant") continue;
            FileNode made = file_node(node.name, node.op_type, node.inputs, node.outputs, index);
            made.index = holder < 0 ? index : -1;
            made.label = onnx::node_label(node, outer);
            made.holder = holder;
            made.scope = scope;
            made.layer = std::string(node.layer);
            made.is_constant = !made.inputs.empty() &&
                               std::all_of(made.inputs.begin(), made.inputs.end(), [&](const std::string& input) {
                                   return input.empty() || constants.contains(input);
                               });
            if (made.is_constant) constants.insert(made.outputs.begin(), made.outputs.end());
            add_bodies(node, std::move(made));
            ++index;
        }
    }

    void add_bodies(const onnx::Node& node, FileNode made) {
        const auto own = int64_t(made_.nodes.size());
        const std::string label = made.label;
        made_.nodes.push_back(std::move(made));
        const auto late = node.domain.empty() ? late_functions().find(node.op_type) : late_functions().end();
        const auto of_model = functions_.find({node.domain, node.op_type});
        if (of_model != functions_.end()) calls_.emplace_back(own, &of_model->second);
        else if (late != late_functions().end()) calls_.emplace_back(own, &late->second);
        made_.nodes.back().has_late_parts = of_model == functions_.end() && late != late_functions().end();
        std::map<std::string_view, const onnx::Attribute*> bodies;
        for (const onnx::Attribute& attribute : node.attributes)
            if (!attribute.graphs.empty()) bodies.emplace(attribute.name, &attribute);
        for (const auto& [_, attribute] : bodies)
            for (const onnx::Graph& body : attribute->graphs) add_scope(body, own, label);
    }

    static FileNode file_node(std::string_view name, std::string_view op, const std::vector<std::string_view>& inputs,
                              const std::vector<std::string_view>& outputs, int64_t index) {
        FileNode made;
        made.op = std::string(op);
        made.is_named = !name.empty();
        made.name = made.is_named ? std::string(name) : made.op + "_" + std::to_string(index);
        made.inputs.assign(inputs.begin(), inputs.end());
        made.outputs.assign(outputs.begin(), outputs.end());
        return made;
    }

    /// Adds the parts of a call. Bodies of nodes in functions are not looked into.
    void expand(size_t call, const FunctionBody& body) {
        constexpr size_t kMostNodes = 200'000;
        if (made_.nodes.size() + body.nodes.size() > kMostNodes) return;
        const FileNode caller = made_.nodes[call];
        const std::string prefix = own_prefix("_inlfunc_" + caller.op, caller.scope);
        std::map<std::string_view, std::string> values;
        const auto bind = [&values](const std::vector<std::string_view>& formal,
                                    const std::vector<std::string>& given) {
            for (size_t i = 0; i < formal.size(); ++i) values[formal[i]] = i < given.size() ? given[i] : "";
        };
        bind(body.inputs, caller.inputs);
        bind(body.outputs, caller.outputs);
        const auto inner = [&](std::string_view name) -> std::string {
            if (name.empty()) return "";
            const auto bound = values.find(name);
            return bound == values.end() ? prefix + "_" + std::string(name) : bound->second;
        };
        for (const PartNode& part : body.nodes) {
            FileNode made = file_node(part.name, part.op, part.inputs, part.outputs, 0);
            const std::string own = part.name.empty() ? made.op : std::string(part.name);
            made.name = made.is_named ? prefix + "_" + own : caller.name + "/" + own;
            made.label = caller.label + "/" + own;
            for (std::string& input : made.inputs) input = inner(input);
            for (std::string& output : made.outputs) output = inner(output);
            made.holder = caller.holder;
            made.scope = caller.scope;
            made.part_of = int64_t(call);
            made_.nodes.push_back(std::move(made));
            if (const auto nested = functions_.find({part.domain, part.op}); nested != functions_.end())
                calls_.emplace_back(made_.nodes.size() - 1, &nested->second);
        }
    }

    /// A number that the graph counts stands behind a name that was taken (Graph::GenerateNodeName).
    std::string own_prefix(const std::string& name, size_t scope) {
        std::string own = name;
        while (!prefixes_.emplace(scope, own).second) own = name + "_token_" + std::to_string(tokens_[scope]++);
        return own;
    }

    FileModel made_;
    std::map<std::pair<std::string_view, std::string_view>, FunctionBody> functions_;  ///< by domain and name
    std::vector<std::pair<size_t, const FunctionBody*>> calls_;                        ///< to be expanded, in order
    std::set<std::pair<size_t, std::string>> prefixes_;
    std::map<size_t, int> tokens_;  ///< by scope
};

}  // namespace

Result<FileModel> read_file_model(const std::shared_ptr<const SourceFile>& file) {
    onnx::ModelBytes bytes(file);
    const Result<onnx::Model> model = onnx::parse_model(bytes);
    if (!model) return model.error();
    return ModelReader(*model).take();
}

}  // namespace partita::onnxruntime
