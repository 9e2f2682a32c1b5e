#include "engine/partitioners/scopes.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace partita {

namespace {

/// Where each node of a graph is.
struct NodePlaces {
    explicit NodePlaces(const Graph& graph)
        : scope(graph.nodes.size()), parts(graph.nodes.size()), is_late(graph.nodes.size()) {
        for (size_t i = 0; i < graph.scopes.size(); ++i)
            for (NodeId node : graph.scopes[i].nodes) scope[node.value] = i;
        for (const GraphFunction& function : graph.functions) {
            parts[function.call.value] = function.parts;
            is_late[function.call.value] = function.is_late;
            for (NodeId part : function.parts) scope[part.value] = scope[function.call.value];
        }
    }

    std::vector<size_t> scope;               ///< by node
    std::vector<std::vector<NodeId>> parts;  ///< by node: of a call of a function
    std::vector<bool> is_late;               ///< by node: GraphFunction::is_late
};

/// What is one node by now: a node of the file, or a group that was taken.
struct Unit {
    std::vector<NodeId> nodes;
    const DividedRegion* group = nullptr;
};

/// One scope as a graph of its own.
class ScopeAlone {
public:
    ScopeAlone(const Graph& whole, const NodePlaces& places, const GraphScope& scope, std::vector<Unit> units)
        : whole_(whole), places_(places), units_(std::move(units)) {
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

    Result<Division> divide(const Partitioner& partitioner, const PartitionerInput& input, const Verdicts& verdicts) {
        Verdicts own;
        for (const Verdicts::OfBackend& backend : verdicts.backends) {
            own.backends.push_back({backend.name, {}});
            for (const Unit& unit : units_)
                own.backends.back().takes.push_back(!unit.group && backend.takes[unit.nodes.front().value]);
        }
        Result<Division> division =
            run_partitioner(partitioner, {graph_, NodeLinks(graph_), own, input.options, input.cancel});
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
        for (uint32_t i = 0; i < whole_.nodes.size(); ++i) {
            NodeId at = holder_of(NodeId(i));
            while (at.valid() && !numbers_.contains(at)) at = holder_of(at);
            if (!at.valid()) continue;
            PlainNode& holder = graph_.nodes[numbers_.at(at).value];
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

    NodeId holder_of(NodeId node) const { return whole_.scopes[places_.scope[node.value]].holder; }

    const Graph& whole_;
    const NodePlaces& places_;
    const std::vector<Unit> units_;
    Graph graph_;
    std::unordered_map<NodeId, NodeId> numbers_;
    std::unordered_map<GraphValueId, GraphValueId> by_value_;
    std::vector<GraphValueId> values_;  ///< of the whole graph, by value of this one
};

/// Returns the scopes, those of bodies before what they are in, else in their order.
std::vector<size_t> bodies_first(const Graph& graph, const NodePlaces& places) {
    std::vector<std::vector<size_t>> inner(graph.scopes.size());
    for (size_t i = 1; i < graph.scopes.size(); ++i) inner[places.scope[graph.scopes[i].holder.value]].push_back(i);
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

/// One division of the graphs of a file.
class ScopesDivider {
public:
    ScopesDivider(const Partitioner& partitioner, const PartitionerInput& input)
        : partitioner_(partitioner), input_(input), graph_(input.graph), places_(input.graph),
          verdicts_(input.verdicts), is_taken_(graph_.nodes.size()), groups_(graph_.scopes.size()) {
        for (const GraphScope& scope : graph_.scopes) judge_parts(scope);
    }

    Result<Division> divide() {
        for (const bool late : {false, true}) {
            if (late && !inlines_more()) break;
            for (size_t scope : bodies_first(graph_, places_))
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
                const auto [all, is_new] = takes.try_emplace(graph_[node].op, true);
                all->second = all->second && backend.takes[node.value];
            }
            for (NodeId node : scope.nodes)
                for (NodeId part : places_.parts[node.value])
                    if (const auto all = takes.find(graph_[part].op); all != takes.end() && all->second)
                        backend.takes[part.value] = true;
        }
    }

    /// Nodes that stand for themselves: calls of functions of the model's own that nobody takes give way to their
    /// parts, which come last.
    std::vector<NodeId> nodes_of(const GraphScope& scope) const {
        std::vector<NodeId> nodes, calls;
        for (NodeId node : scope.nodes) (gives_way(node) ? calls : nodes).push_back(node);
        for (size_t i = 0; i < calls.size(); ++i)
            for (NodeId part : places_.parts[calls[i].value]) (gives_way(part) ? calls : nodes).push_back(part);
        return nodes;
    }
    bool gives_way(NodeId node) const {
        return !places_.parts[node.value].empty() && !places_.is_late[node.value] && !anybody_takes(node);
    }
    bool gives_way_late(NodeId node) const {
        return places_.is_late[node.value] && !is_taken_[node.value] && !places_.parts[node.value].empty();
    }

    /// The second round: what nobody took gives way to its parts, and what was taken is one node.
    bool inlines_more() const {
        if (partitioner_.name != "onnxruntime") return false;
        for (const GraphScope& scope : graph_.scopes)
            for (NodeId node : scope.nodes)
                if (gives_way_late(node)) return true;
        return false;
    }

    std::vector<Unit> units_of(size_t scope, bool late) const {
        std::vector<Unit> units;
        std::vector<NodeId> parts;
        for (NodeId node : nodes_of(graph_.scopes[scope])) {
            if (late && is_taken_[node.value]) continue;
            if (late && gives_way_late(node))
                parts.insert(parts.end(), places_.parts[node.value].begin(), places_.parts[node.value].end());
            else units.push_back({{node}});
        }
        if (!late) return units;
        for (size_t group : groups_[scope]) units.push_back({whole_.regions[group].nodes, &whole_.regions[group]});
        for (NodeId part : parts) units.push_back({{part}});
        return units;
    }

    Status divide_scope(size_t scope, bool late) {
        Result<Division> division = ScopeAlone(graph_, places_, graph_.scopes[scope], units_of(scope, late))
                                        .divide(partitioner_, input_, verdicts_);
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

    const Partitioner& partitioner_;
    const PartitionerInput& input_;
    const Graph& graph_;
    const NodePlaces places_;
    Verdicts verdicts_;
    std::vector<bool> is_taken_;                          ///< by node
    std::vector<std::vector<size_t>> groups_;             ///< by scope: its regions
    std::vector<std::pair<DividedRegion, size_t>> made_;  ///< in this round, with their scopes
    Division whole_;
};

}  // namespace

Result<Division> divide_scopes(const Partitioner& partitioner, const PartitionerInput& input) {
    return ScopesDivider(partitioner, input).divide();
}

}  // namespace partita
