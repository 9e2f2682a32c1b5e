#include "app/gui/diff/diff_marks.h"

#include <algorithm>
#include <span>

#include <QHash>
#include <QStringList>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/flow/names.h"
#include "engine/ir/traversal.h"

namespace partita {

std::vector<DiffMark> diff_marks(const ModuleDiff& diff, const Module& before, const Module& after, DiffSideName side) {
    const bool left = side == DiffSideName::Before;
    std::vector<DiffMark> marks((left ? before : after).size(), DiffMark::Same);
    for (ExprId id : left ? diff.removed : diff.added) marks[id.value] = left ? DiffMark::Removed : DiffMark::Added;
    for (const NodeChange& change : diff.changed)
        marks[(left ? change.before : change.after).value] = DiffMark::Changed;
    for (const NodeChange& change : diff.affected)
        marks[(left ? change.before : change.after).value] = DiffMark::Affected;
    return marks;
}

std::vector<DiffMark> node_marks(const GraphModel& model, const std::vector<DiffMark>& marks) {
    std::vector<DiffMark> result;
    const Module& module = *model.module;
    for (const GraphNode& node : model.nodes) {
        DiffMark mark = node.expr.value < marks.size() ? marks[node.expr.value] : DiffMark::Same;
        const ExprId called = called_function(module, node.expr);
        if (mark == DiffMark::Same && called.valid()) {
            for (ExprId inner : post_order(module, module.body(called))) {
                const DiffMark inside = marks[inner.value];
                if (inside == DiffMark::Same) continue;
                mark = mark == DiffMark::Same || mark == inside ? inside : DiffMark::Changed;
            }
        }
        result.push_back(mark);
    }
    return result;
}

void mark_places(const GraphModel& model, const ModulePlaces& places, const QStringList& backends,
                 GraphDecoration& decoration) {
    decoration.backend_names = backends;
    std::vector<int16_t> number;
    for (const std::string& name : places.backends) number.push_back(int16_t(backends.indexOf(shown_name(name))));
    const auto backend_of = [&](ExprId id) {
        const int own = places.backend_of[id.value];
        return own < 0 ? int16_t(-1) : number[size_t(own)];
    };
    const int16_t whole = backend_of(model.function);
    QHash<int32_t, int32_t> region_number;
    for (uint32_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        if (node.kind == GraphNodeKind::Parameter || node.kind == GraphNodeKind::Constant) continue;
        const int16_t own = backend_of(node.expr);
        decoration.backend[i] = own < 0 ? whole : own;
        const int32_t region = places.region_of[node.expr.value];
        if (region < 0) continue;
        const auto known = region_number.constFind(region);
        const int32_t place = known == region_number.constEnd() ? int32_t(decoration.regions.size()) : *known;
        if (known == region_number.constEnd()) {
            region_number.insert(region, place);
            decoration.regions.push_back({QString(), QString(), own, {}});
        }
        decoration.region[i] = place;
        decoration.regions[size_t(place)].nodes.push_back(i);
    }
    name_regions(model, decoration);
}

void mark_refused_by_origin(const GraphModel& model, const RefusedMerges& refused, GraphDecoration& decoration) {
    // A region is its nodes; in a partitioned module, the call of the function that holds it, and what that returns.
    std::vector<int32_t> parts;
    QHash<uint32_t, int32_t> part_of_origin;
    const auto know = [&](ExprId origin, int32_t part) {
        if (origin.valid()) part_of_origin.insert(origin.value, part);
    };
    for (uint32_t i = 0; i < model.nodes.size(); ++i) {
        const int32_t region = decoration.region[i];
        parts.push_back(region >= 0 ? region : int32_t(decoration.regions.size() + i));
        const std::span<const uint32_t> incoming = model.incoming(i);
        const bool is_field = model.nodes[i].kind == GraphNodeKind::Projection && incoming.size() == 1;
        if (is_field && model.edges[incoming.front()].from < i)
            parts.back() = parts[model.edges[incoming.front()].from];
        know(model.nodes[i].origin, parts.back());
        const ExprId called = called_function(*model.module, model.nodes[i].expr);
        if (!called.valid()) continue;
        for (ExprId inner : post_order(*model.module, model.module->body(called)))
            know(model.module->origin(inner), parts.back());
    }
    const auto part_of = [&](ExprId expr) { return part_of_origin.value(expr.value, -1); };
    mark_refused(model, refused, parts, part_of, decoration);
}

size_t count_of_entries(const ModuleDiff& diff) {
    return diff.removed.size() + diff.added.size() + diff.changed.size() + diff.outputs_changed.size() +
           diff.functions_removed.size() + diff.functions_added.size() + diff.affected.size();
}

std::vector<DiffEntry> diff_entries(const ModuleDiff& diff, const Module& before, const Module& after, size_t most) {
    const ExpressionNames left(before), right(after);
    std::vector<DiffEntry> entries;
    const auto that_fit = [&](const auto& list) {
        return std::span(list).first(std::min(list.size(), most - entries.size()));
    };
    const auto add_changes = [&](DiffMark mark, const std::vector<NodeChange>& changes) {
        for (const NodeChange& change : that_fit(changes)) {
            QStringList what;
            for (const Sentence& part : change.what) what << shown_name(say(part));
            entries.push_back(
                {mark,
                 QStringLiteral("%1: %2").arg(shown_name(left.name(change.before)), what.join(QStringLiteral("; "))),
                 change.before, change.after});
        }
    };
    for (ExprId id : that_fit(diff.removed)) entries.push_back({DiffMark::Removed, shown_name(left.name(id)), id, {}});
    for (ExprId id : that_fit(diff.added)) entries.push_back({DiffMark::Added, shown_name(right.name(id)), {}, id});
    add_changes(DiffMark::Changed, diff.changed);
    for (const Sentence& output : that_fit(diff.outputs_changed))
        entries.push_back({DiffMark::Changed, shown_name(say(output)), {}, {}});
    for (const std::string& name : that_fit(diff.functions_removed))
        entries.push_back({DiffMark::Removed, QStringLiteral("@") + shown_name(name), before.find_function(name), {}});
    for (const std::string& name : that_fit(diff.functions_added))
        entries.push_back({DiffMark::Added, QStringLiteral("@") + shown_name(name), {}, after.find_function(name)});
    add_changes(DiffMark::Affected, diff.affected);
    return entries;
}

}  // namespace partita
