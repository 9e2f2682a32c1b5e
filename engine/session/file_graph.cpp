#include "engine/session/file_graph.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/session/graph_division.h"
#include "engine/support/in_file.h"

namespace partita {

namespace {

/// Makes a graph of the nodes of a file. A body sees the values around it; one that hides another's name has a number
/// behind its own.
class GraphOfNodes {
public:
    GraphOfNodes(const std::vector<FileNode>& nodes, const std::vector<onnxruntime::FileScope>& scopes,
                 const Module& module)
        : nodes_(nodes), scopes_(scopes), module_(module) {
        // What a body is given and its constants hide the names around it.
        for (size_t i = 0; i < scopes.size(); ++i) {
            for (const std::string& name : scopes[i].inputs) add_value(name, i);
            for (size_t k = 0; k < scopes[i].constants.size(); ++k) {
                PlainValue& value = graph_.values[add_value(scopes[i].constants[k], i).value];
                value.constant = true;
                if (k >= scopes[i].constant_types.size()) continue;
                std::tie(value.dtype, value.shape) = scopes[i].constant_types[k];
                value.has_shape = true;
            }
        }
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Call && !module.label(ExprId(i)).empty())
                calls_[module.label(ExprId(i))] = ExprId(i);
    }

    void make() {
        for (const FileNode& node : nodes_) {
            PlainNode made;
            made.name = node.name;
            made.op = node.op;
            if (const auto call = calls_.find(node.label); call != calls_.end()) made.expression = call->second;
            const auto number = NodeId(uint32_t(graph_.nodes.size()));
            for (const std::string& output : node.outputs) {
                // What a part makes of its call's results the call makes.
                const auto of_call = by_place_.find({node.scope, output});
                const bool is_made = output.empty() || (node.part_of >= 0 && of_call != by_place_.end());
                made.outputs.push_back(output.empty() ? GraphValueId()
                                       : is_made      ? of_call->second
                                                      : add_value(output, node.scope));
                if (!is_made) graph_.values[made.outputs.back().value].producer = number;
                if (!is_made) set_type(graph_.values[made.outputs.back().value], made, made.outputs.size() - 1);
            }
            graph_.nodes.push_back(std::move(made));
        }
        for (size_t i = 0; i < nodes_.size(); ++i) {
            for (const std::string& input : nodes_[i].inputs)
                graph_.nodes[i].inputs.push_back(input.empty() ? GraphValueId() : find(input, nodes_[i].scope));
            for (int64_t around : {nodes_[i].holder, nodes_[i].part_of})
                if (around >= 0) graph_.nodes[size_t(around)].after.push_back(NodeId(uint32_t(i)));
        }
    }
    Graph take() { return std::move(graph_); }
    /// Returns the value that a name means in a scope; of one that nothing makes a new one.
    GraphValueId find(const std::string& name, size_t scope) {
        for (size_t at = scope;; at = around(at)) {
            if (const auto found = by_place_.find({at, name}); found != by_place_.end()) return found->second;
            if (at == 0) return add_value(name, scope);
        }
    }

private:
    size_t around(size_t scope) const {
        const int64_t holder = scopes_[scope].holder;
        return holder < 0 ? 0 : nodes_[size_t(holder)].scope;
    }

    GraphValueId add_value(const std::string& name, size_t scope) {
        const auto id = GraphValueId(uint32_t(graph_.values.size()));
        PlainValue value;
        const size_t uses = uses_of_[name]++;
        value.name = uses ? name + " #" + std::to_string(uses + 1) : name;
        graph_.values.push_back(std::move(value));
        by_place_.emplace(std::pair(scope, name), id);
        return id;
    }

    /// The type of the last call of a node is that of its results.
    void set_type(PlainValue& value, const PlainNode& node, size_t result) const {
        if (!node.expression.valid()) return;
        const TypeTable& types = module_.types();
        TypeId type = module_.type(node.expression);
        if (types.is_tuple(type)) type = result < types.parts(type).size() ? types.parts(type)[result] : TypeId();
        if (!type.valid() || !types.is_tensor(type)) return;
        value.dtype = types.dtype(type).to_string();
        value.shape.assign(types.shape(type).begin(), types.shape(type).end());
        value.has_shape = true;
    }

    const std::vector<FileNode>& nodes_;
    const std::vector<onnxruntime::FileScope>& scopes_;
    const Module& module_;
    std::unordered_map<std::string_view, ExprId> calls_;  ///< the last of each label
    std::map<std::pair<size_t, std::string>, GraphValueId> by_place_;
    std::unordered_map<std::string, size_t> uses_of_;
    Graph graph_;
};

std::string type_text(const PlainValue& value) {
    if (!value.has_shape) return "";
    std::string sizes;
    for (int64_t size : value.shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return value.dtype + "[" + sizes + "]";
}

std::vector<std::string> types_of_results(const Graph& graph, const PlainNode& node) {
    std::vector<std::string> types;
    for (GraphValueId output : node.outputs)
        if (output.valid()) types.push_back(type_text(graph[output]));
    return types;
}

std::vector<FileNode> nodes_of_graph(const Graph& graph) {
    std::vector<FileNode> nodes;
    const auto names = [&graph](const std::vector<GraphValueId>& values) {
        std::vector<std::string> list;
        for (GraphValueId id : values) list.push_back(id.valid() ? graph[id].name : std::string());
        return list;
    };
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const PlainNode& node = graph.nodes[i];
        FileNode made{node_title(graph, NodeId(i)), node.op, int64_t(i), {}, !node.name.empty()};
        for (GraphValueId output : node.outputs)
            if (output.valid()) made.outputs.push_back(graph[output].name);
        made.inputs = names(node.inputs);
        made.label = node.name;
        made.said = node.attributes;
        made.types = types_of_results(graph, node);
        nodes.push_back(std::move(made));
    }
    return nodes;
}

Graph graph_of_model(const onnxruntime::FileModel& model, const Module& module) {
    GraphOfNodes maker(model.nodes, model.scopes, module);
    maker.make();
    std::vector<GraphScope> scopes(model.scopes.size());
    for (size_t i = 0; i < scopes.size(); ++i) {
        if (i > 0) scopes[i].holder = NodeId(uint32_t(model.scopes[i].holder));
        for (const std::string& name : model.scopes[i].outputs) scopes[i].outputs.push_back(maker.find(name, i));
    }
    Graph graph = maker.take();
    graph.outputs = scopes[0].outputs;
    for (const std::string& name : model.scopes[0].inputs) graph.inputs.push_back(maker.find(name, 0));
    std::map<int64_t, std::vector<NodeId>> parts;
    for (uint32_t i = 0; i < model.nodes.size(); ++i) {
        const int64_t call = model.nodes[i].part_of;
        (call < 0 ? scopes[model.nodes[i].scope].nodes : parts[call]).push_back(NodeId(i));
    }
    for (auto& [call, list] : parts)
        graph.functions.push_back({NodeId(uint32_t(call)), std::move(list), model.nodes[size_t(call)].has_late_parts});
    if (scopes.size() > 1 || !graph.functions.empty()) graph.scopes = std::move(scopes);
    return graph;
}

}  // namespace

GraphOfFile graph_of_onnx(const SourceFile& file) {
    struct Read {
        std::once_flag once;
        Result<onnxruntime::FileModel> model = onnxruntime::FileModel();
    };
    const auto read_again = [path = file.path(), identity = file.identity()]() -> Result<onnxruntime::FileModel> {
        const Result<std::shared_ptr<const SourceFile>> again = SourceFile::open(path);
        if (!again) return again.error();
        if ((*again)->identity() != identity)
            return in_file(error("the file has changed since it was opened: its nodes can't be divided"), path);
        return onnxruntime::read_file_model(*again);
    };
    return [read_again, read = std::make_shared<Read>()](const Module& module) {
        std::call_once(read->once, [&] { read->model = read_again(); });
        if (!read->model) return Result<std::shared_ptr<const Graph>>(read->model.error());
        return Result(std::make_shared<const Graph>(graph_of_model(*read->model, module)));
    };
}

Result<FileGraph> file_graph(const OpenedInput& opened) {
    FileGraph file;
    Result<onnxruntime::FileModel> of_onnx = onnxruntime::FileModel();
    if (!opened.graph)
        if (const Result<std::shared_ptr<const SourceFile>> source = SourceFile::open(opened.path))
            of_onnx = onnxruntime::read_file_model(*source);
    if (of_onnx && !of_onnx->nodes.empty()) {
        file.graph = std::make_shared<const Graph>(graph_of_model(*of_onnx, *opened.base));
        file.nodes = std::move(of_onnx->nodes);
        for (size_t i = 0; i < file.nodes.size(); ++i)
            file.nodes[i].types = types_of_results(*file.graph, file.graph->nodes[i]);
        return file;
    }
    file.graph = graph_of(opened);
    file.nodes = nodes_of_graph(*file.graph);
    return file;
}

}  // namespace partita
