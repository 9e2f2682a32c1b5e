#include "engine/graph/module_of_graph.h"

#include <algorithm>

#include "engine/ir/json_of.h"
#include "engine/ops/foreign.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

class ModuleOfGraph {
public:
    ModuleOfGraph(Graph& graph, std::span<const std::string> more)
        : graph_(graph), more_(more), made_(graph.values.size()) {}

    Result<Module> build() {
        Result<std::vector<NodeId>> order = running_order(graph_, NodeLinks(graph_));
        if (!order) return order.error();
        std::vector<ExprId> parameters;
        for (uint32_t i = 0; i < graph_.values.size(); ++i) {
            if (graph_.values[i].producer.valid()) continue;
            Result<TypeId> type = type_of(graph_.values[i]);
            if (!type) return type.error();
            parameters.push_back(made_[i] = module_.add_var(graph_.values[i].name, *type));
        }
        for (NodeId node : *order)
            if (Status added = add(node); !added) return added.error();
        module_.set_function("main", module_.add_function(parameters, result()));
        module_.make_root();
        return std::move(module_);
    }

private:
    Status add(NodeId id) {
        PlainNode& node = graph_.nodes[id.value];
        std::vector<ExprId> arguments;
        ForeignCall call{node.op, {}, 1, {}, {}, {}};
        for (size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i].valid()) arguments.push_back(made_[node.inputs[i].value]);
            else call.absent.push_back(int64_t(i));
        }
        // Nothing else tells an operator without inputs from a constant.
        if (arguments.empty()) arguments.push_back(module_.add_tuple({}));
        for (GraphValueId output : node.outputs) {
            Result<TypeId> type = type_of(output.valid() ? graph_[output] : PlainValue());
            if (!type) return at(node, type.error());
            call.results.push_back(*type);
        }
        if (!node.attributes.empty()) {
            const nlohmann::ordered_json attributes = nlohmann::ordered_json::parse(node.attributes);
            for (const auto& [name, value] : attributes.items())
                call.attributes.emplace_back(name, attribute_of_json(value));
        }
        if (id.value < more_.size()) call.attributes.emplace_back("arguments", more_[id.value]);
        node.expression = add_foreign_call(module_, call, arguments);
        module_.set_label(node.expression, node.name);
        module_.set_position(node.expression, node.position);
        for (uint32_t i = 0; i < node.outputs.size(); ++i)
            if (node.outputs[i].valid())
                made_[node.outputs[i].value] =
                    node.outputs.size() == 1 ? node.expression : module_.add_projection(node.expression, i);
        return Nothing();
    }

    /// All outputs, and what nobody uses: it is part of the graph, too.
    ExprId result() {
        std::vector<bool> used(graph_.values.size());
        for (const PlainNode& node : graph_.nodes)
            for (GraphValueId input : node.inputs)
                if (input.valid()) used[input.value] = true;
        std::vector<ExprId> results;
        for (GraphValueId output : graph_.outputs) results.push_back(made_[output.value]), used[output.value] = true;
        for (const PlainNode& node : graph_.nodes) {
            const bool wanted = std::any_of(node.outputs.begin(), node.outputs.end(),
                                            [&](GraphValueId id) { return id.valid() && used[id.value]; });
            if (!wanted) results.push_back(node.expression);
        }
        return results.size() == 1 ? results.front() : module_.add_tuple(results);
    }

    /// An element type that tensors here don't have (a string, a resource) is taken for float32, as a missing one is:
    /// the graph keeps its name, and nothing of it is run.
    static DataType dtype_of(const PlainValue& value) {
        const std::optional<DataType> dtype = DataType::parse(value.dtype);
        return dtype && !dtype->is_void() ? *dtype : kFloat32;
    }

    Result<TypeId> type_of(const PlainValue& value) {
        std::vector<int64_t> sizes;
        for (int64_t dim : value.shape)
            if (dim != kDynamicDim) sizes.push_back(dim);
        if (!element_count(sizes)) return error("the value " + in_quotes(value.name) + " has too many elements");
        return module_.types().tensor(dtype_of(value), value.shape);
    }

    static Diagnostic at(const PlainNode& node, Diagnostic fault) {
        fault.position = node.position;
        return fault;
    }

    Graph& graph_;
    const std::span<const std::string> more_;
    Module module_;
    std::vector<ExprId> made_;  ///< by GraphValueId
};

}  // namespace

Result<Module> module_of_graph(Graph& graph, std::span<const std::string> more) {
    return ModuleOfGraph(graph, more).build();
}

}  // namespace partita
