#include "app/gui/canvas/decorate_graph.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <QCoreApplication>

#include "app/gui/style/foreign_text.h"
#include "engine/flow/region_names.h"
#include "engine/ir/called_function.h"

namespace partita {

namespace {

int16_t index_of(const std::vector<std::string>& backends, std::string_view name) {
    const auto found = std::find(backends.begin(), backends.end(), name);
    return found == backends.end() ? int16_t(-1) : int16_t(found - backends.begin());
}

bool takes_backend(GraphNodeKind kind) { return kind != GraphNodeKind::Parameter && kind != GraphNodeKind::Constant; }

/// How one expression is marked.
struct NodeMark {
    int16_t backend = -2;
    int32_t region = -1;
    bool overridden = false;
};

/// By the flow's result, and by what was given by hand since.
class ShownMarker {
public:
    explicit ShownMarker(const DecorationInput& input)
        : input_(input), given_(*input.overrides), next_(given_.given().begin()) {
        for (const std::string& name : given_.names()) backends_.push_back(index_of(input.backends, name));
    }
    NodeMark operator()(const GraphNode& node) const {
        if (!takes_backend(node.kind)) return {};
        NodeMark mark{-1, -1, false};
        const uint32_t expr = node.expr.value;
        if (input_.flow && expr < input_.flow->backend_of.size()) {
            mark.backend = input_.flow->backend_of[expr];
            if (expr < input_.flow->region_of.size()) mark.region = input_.flow->region_of[expr];
        }
        if (const uint32_t* number = given(node.expr)) {
            mark.backend = backends_[*number - 1];
            mark.overridden = true;
        }
        return mark;
    }

private:
    /// The number of the backend's name. Nodes are asked for in order, mostly.
    const uint32_t* given(ExprId expression) const {
        const ExpressionMap<uint32_t>& all = given_.given();
        if (next_ == all.end() || next_->first != expression) {
            const auto found = all.place(expression);
            if (found == all.end()) return nullptr;
            next_ = found;
        }
        return &(next_++)->second;
    }

    const DecorationInput& input_;
    const HandPlacement& given_;
    mutable ExpressionMap<uint32_t>::Place next_;
    std::vector<int16_t> backends_;  ///< of the names that were given
};

/// In a derived module, the functions say where their bodies go.
class DerivedMarker {
public:
    DerivedMarker(const GraphModel& model, const DecorationInput& input)
        : module_(*model.module), input_(input), whole_(backend_of(model.function)),
          composite_(!module_.function_info(model.function).string_attribute("Composite").empty()) {}
    NodeMark operator()(const GraphNode& node) const {
        if (!takes_backend(node.kind)) return {};
        if (composite_) return {backend_of_origin(node.origin), -1, false};
        const ExprId called = called_function(module_, node.expr);
        const int16_t own = called.valid() ? backend_of(called) : int16_t(-1);
        return {own >= 0 ? own : whole_, -1, false};
    }

private:
    int16_t backend_of(ExprId function) const {
        const std::string_view name = module_.function_info(function).string_attribute("Compiler");
        return name.empty() ? int16_t(-1) : index_of(input_.backends, name);
    }

    /// A composite function does not say whose it is; what its operators were made of does.
    int16_t backend_of_origin(ExprId origin) const {
        return input_.flow && origin.valid() && origin.value < input_.flow->backend_of.size()
                   ? input_.flow->backend_of[origin.value]
                   : int16_t(-1);
    }

    const Module& module_;
    const DecorationInput& input_;
    int16_t whole_;
    bool composite_;
};

/// A group is marked as all its nodes are; where they differ, by what share goes where.
template <class Marker>
NodeMark mark_group(const GraphModel& model, uint32_t group, const Marker& marker, GraphDecoration& decoration) {
    NodeMark all;
    bool first = true, same_region = true;
    std::vector<uint32_t> counts(decoration.backend_names.size() + 1, 0);
    uint32_t placed = 0;
    for (uint32_t member : model.members(group)) {
        const NodeMark mark = marker(model.full->nodes[member]);
        if (mark.backend < -1) continue;
        ++placed;
        ++counts[size_t(std::clamp<int>(mark.backend + 1, 0, int(counts.size()) - 1))];
        if (first) all.region = mark.region;
        same_region = same_region && mark.region == all.region;
        all.overridden = all.overridden || mark.overridden;
        first = false;
    }
    if (!same_region) all.region = -1;
    all.backend = -1;
    std::vector<BackendShare> shares;
    for (size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) shares.push_back({int16_t(int(i) - 1), float(counts[i]) / float(placed)});
    if (shares.size() == 1) all.backend = shares.front().backend;
    if (shares.size() > 1) decoration.shares[group] = std::move(shares);
    return all;
}

template <class Marker>
void mark_nodes(const GraphModel& model, const Marker& marker, GraphDecoration& decoration) {
    for (uint32_t i = 0; i < model.nodes.size(); ++i) {
        const bool group = model.nodes[i].kind == GraphNodeKind::Group;
        const NodeMark mark = group ? mark_group(model, i, marker, decoration) : marker(model.nodes[i]);
        decoration.backend[i] = mark.backend;
        decoration.region[i] = mark.region;
        decoration.overridden[i] = mark.overridden;
    }
}

/// Operators that a node stands for.
int operators_of(const GraphModel& model, uint32_t node) {
    if (model.nodes[node].kind != GraphNodeKind::Group) return operators_in(*model.module, model.nodes[node].expr);
    int operators = 0;
    for (uint32_t member : model.members(node))
        operators += operators_in(*model.module, model.full->nodes[member].expr);
    return operators;
}

/// Of others, the node's own badge says it.
bool has_label(const RegionMark& region) { return region.nodes.size() >= 2 && region.mark.isEmpty(); }

/// Keeps the regions that have a node in the model, numbered anew.
void collect_regions(const GraphModel& model, const DecorationInput& input, GraphDecoration& decoration) {
    if (!input.flow || !shows_regions(*input.flow)) {
        decoration.region.assign(model.nodes.size(), -1);
        return;
    }
    std::vector<int32_t> number(input.flow->regions.size(), -1), shown;
    for (size_t i = 0; i < model.nodes.size(); ++i) {
        int32_t& region = decoration.region[i];
        if (region < 0 || size_t(region) >= number.size()) {
            region = -1;
            continue;
        }
        if (number[size_t(region)] < 0) {
            number[size_t(region)] = int32_t(decoration.regions.size());
            shown.push_back(region);
            decoration.regions.push_back(
                {QString(), input.region_marks.value(region), input.flow->regions[size_t(region)].backend, {}});
        }
        region = number[size_t(region)];
        decoration.regions[size_t(region)].nodes.push_back(uint32_t(i));
    }
    for (size_t i = 0; i < shown.size(); ++i) {
        const RegionInfo& region = input.flow->regions[size_t(shown[i])];
        decoration.regions[i].operators = operator_count(region, *input.flow->input);
        if (input.named && input.named->module == input.flow->input && has_label(decoration.regions[i]))
            decoration.regions[i].label = shown_name(region_name(region, input.named->names));
    }
    name_regions(model, decoration);
}

}  // namespace

bool shows_regions(const FlowResult& flow) {
    const auto joins = [](const RegionInfo& region) { return region.expressions.size() > 1; };  // given by hand as one
    return !flow.stage("annotated") || flow.annotated_before || flow.stage("merged") ||
           std::any_of(flow.regions.begin(), flow.regions.end(), joins);
}

void mark_refused(const GraphModel& model, const RefusedMerges& refused, const std::vector<int32_t>& parts,
                  const std::function<int32_t(ExprId)>& part_of, GraphDecoration& decoration) {
    decoration.refused_edge.assign(model.edges.size(), 0);
    std::set<std::pair<int32_t, int32_t>> apart;
    for (const auto& [from, to] : refused) {
        const int32_t consumer = part_of(to), producer = part_of(from);
        if (consumer >= 0 && producer >= 0 && consumer != producer) apart.insert({producer, consumer});
    }
    if (apart.empty()) return;
    for (size_t i = 0; i < model.edges.size(); ++i)
        decoration.refused_edge[i] = apart.count({parts[model.edges[i].from], parts[model.edges[i].to]}) ? 1 : 0;
}

void name_regions(const GraphModel& model, GraphDecoration& decoration) {
    QHash<int, QString> texts;  // looking a translation up for each of thousands of regions takes long
    for (RegionMark& region : decoration.regions) {
        if (!has_label(region)) continue;
        int ops = std::max(region.operators, 0);
        if (region.operators < 0)
            for (uint32_t node : region.nodes) ops += operators_of(model, node);
        auto text = texts.find(ops);
        if (text == texts.end())
            text = texts.insert(ops, QCoreApplication::translate("Canvas", "%1 · %n op(s)", nullptr, ops));
        region.label = text->arg(region.label.isEmpty() ? decoration.backend_name(region.backend) : region.label);
    }
}

GraphDecoration decorate_graph(const GraphModel& model, const DecorationInput& input) {
    GraphDecoration decoration;
    decoration.backend.assign(model.nodes.size(), -2);
    decoration.region.assign(model.nodes.size(), -1);
    decoration.overridden.assign(model.nodes.size(), 0);
    decoration.refused_edge.assign(model.edges.size(), 0);
    for (const std::string& name : input.backends) decoration.backend_names << shown_name(name);
    if (input.shown_module) {
        mark_nodes(model, ShownMarker(input), decoration);
        collect_regions(model, input, decoration);
        const auto region_of = [&](ExprId expr) {
            const int32_t node = model.node_of(expr);
            return node < 0 ? -1 : decoration.region[size_t(node)];
        };
        if (input.refused) mark_refused(model, *input.refused, decoration.region, region_of, decoration);
    } else {
        mark_nodes(model, DerivedMarker(model, input), decoration);
    }
    if (input.heat) {
        decoration.heat.assign(model.nodes.size(), -1);
        const auto heat_of = [&input](const GraphNode& node) {
            const ExprId expr = input.shown_module ? node.expr : node.origin;
            return expr.valid() && expr.value < input.heat->size() ? (*input.heat)[expr.value] : -1.0f;
        };
        for (uint32_t i = 0; i < model.nodes.size(); ++i) {
            decoration.heat[i] = heat_of(model.nodes[i]);
            if (model.nodes[i].kind != GraphNodeKind::Group) continue;
            for (uint32_t member : model.members(i))
                decoration.heat[i] = std::max(decoration.heat[i], heat_of(model.full->nodes[member]));
        }
    }
    return decoration;
}

bool same_regions(const GraphDecoration& a, const GraphDecoration& b) {
    if (a.region != b.region || a.regions.size() != b.regions.size()) return false;
    return std::equal(a.regions.begin(), a.regions.end(), b.regions.begin(),
                      [](const RegionMark& x, const RegionMark& y) { return x.label == y.label; });
}

}  // namespace partita
