#include "engine/session/file_graph.h"

#include <algorithm>
#include <map>
#include <tuple>
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

/// What is one node by now: a node of the file, or a group that was taken.
struct Unit {
    std::vector<NodeId> nodes;
    const DividedRegion* group = nullptr;
};

/// One scope as a graph of its own.
class ScopeAlone {
public:
    ScopeAlone(const FileGraph& file, const GraphScope& scope, std::vector<Unit> units)
        : whole_(*file.graph), file_(file), units_(std::move(units)) {
        for (uint32_t i = 0; i < units_.size(); ++i)
            for (NodeId node : units_[i].nodes) numbers_.emplace(node, NodeId(i));
        for (const Unit& unit : units_) {
            PlainNode made = whole_[unit.nodes.front()];
            made.after.clear();
            if (unit.group) made.inputs = unit.group->inputs, made.outputs = unit.group->outputs;
            for (GraphValueId& input : made.inputs) input = value(input);
            for (GraphValueId& output : made.outputs) {
                output = value(output);
                if (output.valid()) graph_.values[output.value].producer = NodeId(uint32_t(graph_.nodes.size()));
            }
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
            for (const Unit& unit : units_)
                own.backends.back().takes.push_back(!unit.group && backend.takes[unit.nodes.front().value]);
        }
        Result<Division> division = run_partitioner(partitioner, {graph_, NodeLinks(graph_), own, options, cancel});
        if (!division) return division;
        const auto back = [this](std::vector<NodeId>& nodes) {
            for (NodeId& node : nodes) node = units_[node.value].nodes.front();
        };
        for (DividedRegion& region : division->regions) {
            back(region.nodes);
            for (GraphValueId& id : region.inputs) id = values_[id.value];
            for (GraphValueId& id : region.outputs) id = values_[id.value];
        }
        for (DivisionNote& note : division->notes) {
            note.subject = units_[note.subject.value].nodes.front();
            if (note.other.valid()) note.other = units_[note.other.value].nodes.front();
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
    const std::vector<Unit> units_;
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
    for (uint32_t i = 0; i < file.nodes.size(); ++i)
        if (file.nodes[i].part_of < 0) file.scopes[file.nodes[i].scope].nodes.push_back(NodeId(i));
    file.graph = std::make_shared<const Graph>(std::move(graph));
    return file;
}

namespace {

/// One division of the graphs of a file.
class ScopesDivider {
public:
    ScopesDivider(const FileGraph& file, const Partitioner& partitioner, const Verdicts& verdicts,
                  const std::map<std::string, std::string, std::less<>>& options, const CancelToken& cancel)
        : file_(file), partitioner_(partitioner), verdicts_(verdicts), options_(options), cancel_(cancel),
          parts_(file.nodes.size()), is_taken_(file.nodes.size()), groups_(file.scopes.size()) {
        for (uint32_t i = 0; i < file.nodes.size(); ++i)
            if (file.nodes[i].part_of >= 0) parts_[size_t(file.nodes[i].part_of)].emplace_back(i);
        for (const GraphScope& scope : file.scopes) judge_parts(scope);
    }

    Result<Division> divide() {
        for (const bool late : {false, true}) {
            if (late && !inlines_more()) break;
            for (size_t scope : bodies_first(file_))
                if (Status done = divide_scope(scope, late); !done) return done.error();
            finish_round();
        }
        return std::move(whole_);
    }

private:
    bool anybody_takes(NodeId node) const { return verdicts_.first(node) >= 0; }

    /// What is said of the names in a file says nothing of the parts of a node that has none in it: a backend takes
    /// them if it takes all nodes of their operators in the graph.
    void judge_parts(const GraphScope& scope) {
        for (Verdicts::OfBackend& backend : verdicts_.backends) {
            std::map<std::string_view, bool> takes;
            for (NodeId node : scope.nodes) {
                const auto [all, is_new] = takes.try_emplace(file_.nodes[node.value].op, true);
                all->second = all->second && backend.takes[node.value];
            }
            for (NodeId node : scope.nodes)
                for (NodeId part : parts_[node.value])
                    if (const auto all = takes.find(file_.nodes[part.value].op); all != takes.end() && all->second)
                        backend.takes[part.value] = true;
        }
    }

    /// Nodes that stand for themselves: calls of functions of the model's own that nobody takes give way to their
    /// parts, which come last.
    std::vector<NodeId> nodes_of(const GraphScope& scope) const {
        std::vector<NodeId> nodes, calls;
        for (NodeId node : scope.nodes) (gives_way(node) ? calls : nodes).push_back(node);
        for (size_t i = 0; i < calls.size(); ++i)
            for (NodeId part : parts_[calls[i].value]) (gives_way(part) ? calls : nodes).push_back(part);
        return nodes;
    }
    bool gives_way(NodeId node) const {
        return !parts_[node.value].empty() && !file_.nodes[node.value].has_late_parts && !anybody_takes(node);
    }
    bool gives_way_late(NodeId node) const {
        return file_.nodes[node.value].has_late_parts && !is_taken_[node.value] && !parts_[node.value].empty();
    }

    /// The second round: what nobody took gives way to its parts, and what was taken is one node.
    bool inlines_more() const {
        if (partitioner_.name != "onnxruntime") return false;
        for (const GraphScope& scope : file_.scopes)
            for (NodeId node : scope.nodes)
                if (gives_way_late(node)) return true;
        return false;
    }

    std::vector<Unit> units_of(size_t scope, bool late) const {
        std::vector<Unit> units;
        std::vector<NodeId> parts;
        for (NodeId node : nodes_of(file_.scopes[scope])) {
            if (late && is_taken_[node.value]) continue;
            if (late && gives_way_late(node))
                parts.insert(parts.end(), parts_[node.value].begin(), parts_[node.value].end());
            else units.push_back({{node}});
        }
        if (!late) return units;
        for (size_t group : groups_[scope]) units.push_back({whole_.regions[group].nodes, &whole_.regions[group]});
        for (NodeId part : parts) units.push_back({{part}});
        return units;
    }

    Status divide_scope(size_t scope, bool late) {
        Result<Division> division = ScopeAlone(file_, file_.scopes[scope], units_of(scope, late))
                                        .divide(partitioner_, verdicts_, options_, cancel_);
        if (!division) return division.error();
        for (DividedRegion& region : division->regions) made_.push_back({std::move(region), scope});
        for (DivisionNote& note : division->notes) whole_.notes.push_back(std::move(note));
        if (whole_.error.empty()) whole_.error = division->error;
        return Nothing();
    }

    /// Each backend divides all graphs before the next one is asked.
    void finish_round() {
        const auto place = [this](const std::pair<DividedRegion, size_t>& made) {
            return std::find_if(
                       verdicts_.backends.begin(), verdicts_.backends.end(),
                       [&](const Verdicts::OfBackend& backend) { return backend.name == made.first.backend; }) -
                   verdicts_.backends.begin();
        };
        std::stable_sort(made_.begin(), made_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
        for (auto& [region, scope] : made_) {
            for (NodeId node : region.nodes) is_taken_[node.value] = true;
            groups_[scope].push_back(whole_.regions.size());
            whole_.regions.push_back(std::move(region));
        }
        made_.clear();
    }

    const FileGraph& file_;
    const Partitioner& partitioner_;
    Verdicts verdicts_;
    const std::map<std::string, std::string, std::less<>>& options_;
    const CancelToken& cancel_;
    std::vector<std::vector<NodeId>> parts_;              ///< by node
    std::vector<bool> is_taken_;                          ///< by node
    std::vector<std::vector<size_t>> groups_;             ///< by scope: its regions
    std::vector<std::pair<DividedRegion, size_t>> made_;  ///< in this round, with their scopes
    Division whole_;
};

}  // namespace

Result<Division> divide_scopes(const FileGraph& file, const Partitioner& partitioner, const Verdicts& verdicts,
                               const std::map<std::string, std::string, std::less<>>& options,
                               const CancelToken& cancel) {
    return ScopesDivider(file, partitioner, verdicts, options, cancel).divide();
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
