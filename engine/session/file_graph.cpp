#include "engine/session/file_graph.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/session/graph_division.h"

namespace partita {

namespace {

/// Makes a graph of the nodes of a file. A body sees the values around it; one that hides another's name has a number
/// behind its own.
class GraphOfNodes {
public:
    GraphOfNodes(const std::vector<FileNode>& nodes, const std::vector<onnxruntime::FileScope>& scopes,
                 const Module& module)
        : nodes_(nodes), scopes_(scopes) {
        // What a body is given and its constants hide the names around it.
        for (size_t i = 0; i < scopes.size(); ++i) {
            for (const std::string& name : scopes[i].inputs) add_value(name, i);
            for (const std::string& name : scopes[i].constants) graph_.values[add_value(name, i).value].constant = true;
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
                made.outputs.push_back(output.empty() ? GraphValueId() : add_value(output, node.scope));
                if (!output.empty()) graph_.values[made.outputs.back().value].producer = number;
            }
            graph_.nodes.push_back(std::move(made));
        }
        for (size_t i = 0; i < nodes_.size(); ++i) {
            for (const std::string& input : nodes_[i].inputs)
                graph_.nodes[i].inputs.push_back(input.empty() ? GraphValueId() : find(input, nodes_[i].scope));
            if (nodes_[i].holder >= 0) graph_.nodes[size_t(nodes_[i].holder)].after.push_back(NodeId(uint32_t(i)));
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

    const std::vector<FileNode>& nodes_;
    const std::vector<onnxruntime::FileScope>& scopes_;
    std::unordered_map<std::string_view, ExprId> calls_;  ///< the last of each label
    std::map<std::pair<size_t, std::string>, GraphValueId> by_place_;
    std::unordered_map<std::string, size_t> uses_of_;
    Graph graph_;
};

std::string type_text(const PlainValue& value) {
    std::string sizes;
    for (int64_t size : value.shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return value.dtype + "[" + sizes + "]";
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
        for (GraphValueId output : node.outputs)
            if (output.valid()) made.types.push_back(type_text(graph[output]));
        nodes.push_back(std::move(made));
    }
    return nodes;
}

/// One scope as a graph of its own.
class ScopeAlone {
public:
    ScopeAlone(const FileGraph& file, const GraphScope& scope) : whole_(*file.graph), file_(file), scope_(scope) {
        for (NodeId node : scope.nodes) numbers_.emplace(node, NodeId(uint32_t(numbers_.size())));
        for (NodeId node : scope.nodes) {
            PlainNode made = whole_[node];
            made.after.clear();
            for (GraphValueId& input : made.inputs) input = value(input);
            for (GraphValueId& output : made.outputs) output = value(output);
            graph_.nodes.push_back(std::move(made));
        }
        add_captured();
        for (GraphValueId output : scope.outputs) graph_.outputs.push_back(value(output));
    }

    Result<Division> divide(const Partitioner& partitioner, const Verdicts& verdicts,
                            const std::map<std::string, std::string, std::less<>>& options, const CancelToken& cancel) {
        Verdicts own;
        for (const Verdicts::OfBackend& backend : verdicts.backends) {
            own.backends.push_back({backend.name, {}});
            for (NodeId node : scope_.nodes) own.backends.back().takes.push_back(backend.takes[node.value]);
        }
        Result<Division> division = run_partitioner(partitioner, {graph_, NodeLinks(graph_), own, options, cancel});
        if (!division) return division;
        const auto back = [this](std::vector<NodeId>& nodes) {
            for (NodeId& node : nodes) node = scope_.nodes[node.value];
        };
        for (DividedRegion& region : division->regions) {
            back(region.nodes);
            for (GraphValueId& id : region.inputs) id = values_[id.value];
            for (GraphValueId& id : region.outputs) id = values_[id.value];
        }
        for (DivisionNote& note : division->notes) {
            note.subject = scope_.nodes[note.subject.value];
            if (note.other.valid()) note.other = scope_.nodes[note.other.value];
            back(note.named);
        }
        return division;
    }

private:
    GraphValueId value(GraphValueId of_whole) {
        if (!of_whole.valid()) return of_whole;
        const auto [found, is_new] = by_value_.try_emplace(of_whole, GraphValueId(uint32_t(values_.size())));
        if (!is_new) return found->second;
        values_.push_back(of_whole);
        PlainValue made = whole_[of_whole];
        const auto producer = numbers_.find(made.producer);
        made.producer = producer == numbers_.end() ? NodeId() : producer->second;
        graph_.values.push_back(std::move(made));
        return found->second;
    }

    /// What bodies use of the values around them, the nodes that hold them use.
    void add_captured() {
        for (uint32_t i = 0; i < file_.nodes.size(); ++i) {
            int64_t at = file_.nodes[i].holder;
            while (at >= 0 && !numbers_.contains(NodeId(uint32_t(at)))) at = file_.nodes[size_t(at)].holder;
            if (at < 0) continue;
            PlainNode& holder = graph_.nodes[numbers_.at(NodeId(uint32_t(at))).value];
            for (GraphValueId input : whole_.nodes[i].inputs) {
                if (!input.valid()) continue;
                const NodeId producer = whole_[input].producer;
                const bool is_around = by_value_.contains(input) || (producer.valid() && numbers_.contains(producer));
                if (!is_around) continue;
                const GraphValueId own = value(input);
                if (std::find(holder.inputs.begin(), holder.inputs.end(), own) == holder.inputs.end())
                    holder.inputs.push_back(own);
            }
        }
    }

    const Graph& whole_;
    const FileGraph& file_;
    const GraphScope& scope_;
    Graph graph_;
    std::unordered_map<NodeId, NodeId> numbers_;
    std::unordered_map<GraphValueId, GraphValueId> by_value_;
    std::vector<GraphValueId> values_;  ///< of the whole graph, by value of this one
};

/// Returns the scopes, those of bodies before what they are in, else in their order.
std::vector<size_t> bodies_first(const FileGraph& file) {
    std::vector<std::vector<size_t>> inner(file.scopes.size());
    for (size_t i = 1; i < file.scopes.size(); ++i) inner[file.nodes[file.scopes[i].holder.value].scope].push_back(i);
    std::vector<size_t> order, stack{0};
    while (!stack.empty()) {
        const size_t at = stack.back();
        stack.pop_back();
        order.push_back(at);
        stack.insert(stack.end(), inner[at].begin(), inner[at].end());
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace

Result<FileGraph> file_graph(const OpenedInput& opened) {
    FileGraph file;
    Result<onnxruntime::FileModel> of_onnx = onnxruntime::FileModel();
    if (!opened.graph) of_onnx = onnxruntime::read_file_model(opened.path);
    if (!of_onnx || of_onnx->nodes.empty()) {
        file.graph = graph_of(opened);
        file.nodes = nodes_of_graph(*file.graph);
        file.scopes.resize(1);
        file.scopes[0].outputs = file.graph->outputs;
        for (uint32_t i = 0; i < file.nodes.size(); ++i) file.scopes[0].nodes.push_back(NodeId(i));
        return file;
    }
    file.nodes = std::move(of_onnx->nodes);
    GraphOfNodes maker(file.nodes, of_onnx->scopes, *opened.base);
    maker.make();
    for (size_t i = 0; i < of_onnx->scopes.size(); ++i) {
        GraphScope scope;
        if (i > 0) scope.holder = NodeId(uint32_t(of_onnx->scopes[i].holder));
        for (const std::string& name : of_onnx->scopes[i].outputs) scope.outputs.push_back(maker.find(name, i));
        file.scopes.push_back(std::move(scope));
    }
    Graph graph = maker.take();
    graph.outputs = file.scopes[0].outputs;
    for (const std::string& name : of_onnx->scopes[0].inputs) graph.inputs.push_back(maker.find(name, 0));
    for (uint32_t i = 0; i < file.nodes.size(); ++i) file.scopes[file.nodes[i].scope].nodes.push_back(NodeId(i));
    file.graph = std::make_shared<const Graph>(std::move(graph));
    return file;
}

Result<Division> divide_scopes(const FileGraph& file, const Partitioner& partitioner, const Verdicts& verdicts,
                               const std::map<std::string, std::string, std::less<>>& options,
                               const CancelToken& cancel) {
    Division whole;
    for (size_t scope : bodies_first(file)) {
        Result<Division> division = ScopeAlone(file, file.scopes[scope]).divide(partitioner, verdicts, options, cancel);
        if (!division) return division;
        for (DividedRegion& region : division->regions) whole.regions.push_back(std::move(region));
        for (DivisionNote& note : division->notes) whole.notes.push_back(std::move(note));
        if (whole.error.empty()) whole.error = division->error;
    }
    const auto place = [&verdicts](const DividedRegion& region) {
        return std::find_if(verdicts.backends.begin(), verdicts.backends.end(),
                            [&](const Verdicts::OfBackend& backend) { return backend.name == region.backend; }) -
               verdicts.backends.begin();
    };
    std::stable_sort(whole.regions.begin(), whole.regions.end(),
                     [&](const DividedRegion& a, const DividedRegion& b) { return place(a) < place(b); });
    return whole;
}

std::vector<Unsound> check_division(const FileGraph& file, Division division) {
    std::vector<int32_t> region_of = regions_by_node(*file.graph, division);
    for (const GraphScope& scope : file.scopes) {
        const int32_t region = scope.holder.valid() ? region_of[scope.holder.value] : -1;
        if (region < 0) continue;
        for (NodeId node : scope.nodes)
            if (int32_t& own = region_of[node.value]; own < 0) {
                own = region;
                division.regions[size_t(region)].nodes.push_back(node);
            }
    }
    return check_division(*file.graph, NodeLinks(*file.graph), division);
}

}  // namespace partita
