#include "app/gui/diff/diff_marks.h"

#include <algorithm>
#include <span>

#include <QHash>
#include <QStringList>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/flow/names.h"
#include "engine/ir/called_function.h"
#include "engine/ir/traversal.h"
#include "engine/session/diff_blocks.h"

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

size_t count_of_entries(const std::vector<DiffEntry>& entries) {
    size_t count = 0;
    for (const DiffEntry& entry : entries) count += std::max(entry.alike.size(), size_t(1));
    return count;
}

namespace {

class EntryWriter {
public:
    EntryWriter(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after, size_t most)
        : diff_(diff), left_(before), right_(after), most_(most) {}

    std::vector<DiffEntry> write() {
        const std::vector<AlikeDifferences> differences = alike_differences(diff_);
        const auto add = [this](const AlikeDifferences& each) {
            if (room() > 0) entries_.push_back(entry(each));
        };
        for (const AlikeDifferences& each : differences)
            if (each.list != DiffList::Affected) add(each);
        for (const Sentence& output : that_fit(diff_.outputs_changed))
            entries_.push_back({DiffMark::Changed, shown_name(say(output)), {}, {}, {}});
        add_functions(DiffMark::Removed, diff_.functions_removed);
        add_functions(DiffMark::Added, diff_.functions_added);
        for (const AlikeDifferences& each : differences)
            if (each.list == DiffList::Affected) add(each);
        return std::move(entries_);
    }

private:
    size_t room() const { return most_ - std::min(most_, count_of_entries(entries_)); }

    template <class T>
    std::span<const T> that_fit(const std::vector<T>& list) const {
        return std::span(list).first(std::min(list.size(), room()));
    }

    void add_functions(DiffMark mark, const std::vector<std::string>& names) {
        for (const std::string& name : that_fit(names)) {
            DiffEntry entry{mark, QStringLiteral("@") + shown_name(name), {}, {}, {}};
            (mark == DiffMark::Removed ? entry.before : entry.after) =
                (mark == DiffMark::Removed ? left_ : right_).module().find_function(name);
            entries_.push_back(std::move(entry));
        }
    }

    DiffEntry single(DiffList list, uint32_t index) const {
        const auto changed = [this](DiffMark mark, const NodeChange& change) -> DiffEntry {
            QStringList what;
            for (const Sentence& part : change.what) what << shown_name(say(part));
            const QString name = shown_name(left_.name(change.before));
            return {mark,
                    QStringLiteral("%1: %2").arg(name, what.join(QStringLiteral("; "))),
                    change.before,
                    change.after,
                    {}};
        };
        switch (list) {
            case DiffList::Removed: {
                const ExprId id = diff_.removed[index];
                return {DiffMark::Removed, shown_name(left_.name(id)), id, {}, {}};
            }
            case DiffList::Added: {
                const ExprId id = diff_.added[index];
                return {DiffMark::Added, shown_name(right_.name(id)), {}, id, {}};
            }
            case DiffList::Changed: return changed(DiffMark::Changed, diff_.changed[index]);
            default: return changed(DiffMark::Affected, diff_.affected[index]);
        }
    }

    DiffEntry entry(const AlikeDifferences& differences) const {
        DiffEntry made = single(differences.list, differences.members.front());
        if (const Sentence place = place_among_blocks(differences); !place.empty())
            made.text = QStringLiteral("%1: %2").arg(say(place), made.text);
        if (!differences.several()) return made;
        const size_t shown = std::min(differences.members.size(), room());
        for (size_t i = 0; i < shown; ++i) {
            DiffEntry& each = made.alike.emplace_back(single(differences.list, differences.members[i]));
            each.text = QStringLiteral("%1: %2").arg(say(place_of_member(differences, i)), each.text);
        }
        return made;
    }

    const ModuleDiff& diff_;
    const DiffedModule &left_, &right_;
    const size_t most_;
    std::vector<DiffEntry> entries_;
};

}  // namespace

std::vector<DiffEntry> diff_entries(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after,
                                    size_t most) {
    return EntryWriter(diff, before, after, most).write();
}

}  // namespace partita
