#include "app/gui/canvas/decorate_graph.h"

#include <algorithm>
#include <set>

#include <QCoreApplication>

namespace partita {

namespace {

int16_t index_of(const std::vector<std::string>& backends, std::string_view name) {
    const auto found = std::find(backends.begin(), backends.end(), name);
    return found == backends.end() ? int16_t(-1) : int16_t(found - backends.begin());
}

bool takes_backend(GraphNodeKind kind) { return kind != GraphNodeKind::Parameter && kind != GraphNodeKind::Constant; }

void decorate_shown(const GraphModel& model, const DecorationInput& input, GraphDecoration& decoration) {
    for (size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        if (!takes_backend(node.kind)) continue;
        int16_t backend = -1;
        if (input.flow && node.expr.value < input.flow->backend_of.size()) {
            backend = input.flow->backend_of[node.expr.value];
            if (node.expr.value < input.flow->region_of.size()) decoration.region[i] = input.flow->region_of[node.expr.value];
        }
        if (const auto given = input.overrides.find(node.expr); given != input.overrides.end()) {
            backend = index_of(input.backends, given->second);
            decoration.overridden[i] = 1;
        }
        decoration.backend[i] = backend;
    }
}

/// In a derived module, the functions say where their bodies go.
void decorate_derived(const GraphModel& model, const DecorationInput& input, GraphDecoration& decoration) {
    const Module& module = *model.module;
    const std::string_view compiler = module.function_info(model.function).string_attribute("Compiler");
    const int16_t whole = compiler.empty() ? int16_t(-1) : index_of(input.backends, compiler);
    for (size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        if (!takes_backend(node.kind)) continue;
        decoration.backend[i] = whole;
        const ExprId called = called_function(module, node.expr);
        if (!called.valid()) continue;
        const std::string_view name = module.function_info(called).string_attribute("Compiler");
        if (!name.empty()) decoration.backend[i] = index_of(input.backends, name);
    }
}

/// Keeps the regions that have a node in the model, numbered anew.
void collect_regions(const GraphModel& model, const DecorationInput& input, GraphDecoration& decoration) {
    if (!input.flow) return;
    std::vector<int32_t> number(input.flow->regions.size(), -1);
    for (size_t i = 0; i < model.nodes.size(); ++i) {
        int32_t& region = decoration.region[i];
        if (region < 0 || size_t(region) >= number.size()) {
            region = -1;
            continue;
        }
        if (number[size_t(region)] < 0) {
            number[size_t(region)] = int32_t(decoration.regions.size());
            decoration.regions.push_back({QString(), input.flow->regions[size_t(region)].backend, {}});
        }
        region = number[size_t(region)];
        decoration.regions[size_t(region)].nodes.push_back(uint32_t(i));
    }
    for (RegionMark& region : decoration.regions) {
        if (region.nodes.size() < 2) continue;  // the node's own badge says it
        const auto ops = std::count_if(region.nodes.begin(), region.nodes.end(), [&](uint32_t node) {
            return model.nodes[node].kind == GraphNodeKind::Call || model.nodes[node].kind == GraphNodeKind::Composite;
        });
        region.label = QCoreApplication::translate("Canvas", "%1 · %n op(s)", nullptr, int(ops))
                           .arg(decoration.backend_name(region.backend));
    }
}

/// Marks the edges between two regions whose merge was refused because of a cycle.
void mark_refused(const GraphModel& model, const DecorationInput& input, GraphDecoration& decoration) {
    if (!input.flow) return;
    std::set<std::pair<int32_t, int32_t>> refused;
    const auto region_of = [&](ExprId expr) {
        const int32_t node = model.node_of(expr);
        return node < 0 ? -1 : decoration.region[size_t(node)];
    };
    for (const Decision& decision : input.flow->log.decisions()) {
        if (decision.kind != DecisionKind::WouldCloseCycle) continue;
        const int32_t consumer = region_of(decision.subject), producer = region_of(decision.other);
        if (consumer >= 0 && producer >= 0 && consumer != producer) refused.insert({producer, consumer});
    }
    if (refused.empty()) return;
    for (size_t i = 0; i < model.edges.size(); ++i) {
        const auto pair = std::make_pair(decoration.region[model.edges[i].from], decoration.region[model.edges[i].to]);
        decoration.refused_edge[i] = refused.count(pair) ? 1 : 0;
    }
}

}  // namespace

GraphDecoration decorate_graph(const GraphModel& model, const DecorationInput& input) {
    GraphDecoration decoration;
    decoration.backend.assign(model.nodes.size(), -2);
    decoration.region.assign(model.nodes.size(), -1);
    decoration.overridden.assign(model.nodes.size(), 0);
    decoration.refused_edge.assign(model.edges.size(), 0);
    for (const std::string& name : input.backends) decoration.backend_names << QString::fromStdString(name);
    if (input.shown_module) {
        decorate_shown(model, input, decoration);
        collect_regions(model, input, decoration);
        mark_refused(model, input, decoration);
    } else {
        decorate_derived(model, input, decoration);
    }
    if (input.heat) {
        decoration.heat.assign(model.nodes.size(), -1);
        for (size_t i = 0; i < model.nodes.size(); ++i) {
            const ExprId expr = input.shown_module ? model.nodes[i].expr : model.nodes[i].origin;
            if (expr.valid() && expr.value < input.heat->size()) decoration.heat[i] = (*input.heat)[expr.value];
        }
    }
    return decoration;
}

bool same_regions(const GraphDecoration& a, const GraphDecoration& b) {
    if (a.region != b.region || a.regions.size() != b.regions.size()) return false;
    return std::equal(a.regions.begin(), a.regions.end(), b.regions.begin(),
                      [](const RegionMark& x, const RegionMark& y) { return x.label == y.label; });
}

std::vector<float> heat_of_run(const RunOutcome& run, size_t expressions) {
    std::vector<float> heat(expressions, -1);
    for (const RegionTiming& region : run.report.regions) {
        for (const OpTiming& op : region.ops)
            if (op.origin.valid() && op.origin.value < expressions) {
                float& value = heat[op.origin.value];
                value = std::max(value, 0.0f) + float(op.time.median);
            }
        if (!region.ops.empty() || !run.flow) continue;
        // A region that is measured as one: its time lies evenly on its operators.
        for (const RegionInfo& info : run.flow->regions) {
            if (info.function != region.name || info.expressions.empty()) continue;
            const float share = float(region.time.median / double(info.expressions.size()));
            for (ExprId expr : info.expressions)
                if (expr.value < expressions) heat[expr.value] = share;
        }
    }
    const float longest = heat.empty() ? 0 : *std::max_element(heat.begin(), heat.end());
    if (longest > 0)
        for (float& value : heat)
            if (value >= 0) value /= longest;
    return heat;
}

}  // namespace partita
