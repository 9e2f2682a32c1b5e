#include "engine/passes/refusal_path.h"

#include <algorithm>

#include "engine/ir/traversal.h"

namespace partita {

RefusalPaths::RefusalPaths(const Module& module, RegionSet& regions, const MarkReader& reader,
                           std::span<const ExprId> order)
    : module_(module), regions_(regions), reader_(reader) {
    const auto note = [&](ExprId from, ExprId to) {
        from = unmarked(from);
        const uint32_t from_place = place_of(from), to_place = place_of(to);
        if (from_place != to_place) edges_.try_emplace(uint64_t(from_place) << 32 | to_place, Edge{from, to});
    };
    for (ExprId id : order) {
        if (reader.mark(id) != Mark::None || module.kind(id) == ExprKind::Function) continue;
        if (module.kind(id) == ExprKind::Let) note(module.operands(id)[1], module.operands(id)[0]);
        else
            for (ExprId operand : module.operands(id)) note(operand, id);
    }
}

/// Numbers regions by their roots, and expressions outside regions after them.
uint32_t RefusalPaths::place_of(ExprId id) {
    const int32_t region = regions_.region_of(id);
    return region == RegionSet::kNone ? uint32_t(regions_.size()) + id.value : uint32_t(region);
}

ExprId RefusalPaths::unmarked(ExprId id) const {
    while (reader_.mark(id) != Mark::None) id = reader_.operand(id);
    return id;
}

/// Prefers the edge between the two expressions themselves.
const RefusalPaths::Edge* RefusalPaths::edge(ExprId from, ExprId to) {
    const auto found = edges_.find(uint64_t(place_of(from)) << 32 | place_of(to));
    if (found == edges_.end()) return nullptr;
    for (ExprId operand : module_.operands(to))
        if (unmarked(operand) == from) found->second = {from, to};
    return &found->second;
}

/// Returns what uses the value inside of a composite that takes it; invalid if the user is no composite.
ExprId RefusalPaths::inner_user(const Edge& edge) const {
    if (module_.kind(edge.to) != ExprKind::Call || !is_composite(module_, module_.callee(edge.to))) return {};
    const ExprId function = module_.callee(edge.to);
    const std::span<const ExprId> arguments = module_.arguments(edge.to), parameters = module_.parameters(function);
    for (ExprId id : post_order(module_, module_.body(function)))
        for (ExprId operand : module_.operands(id))
            for (size_t i = 0; i < parameters.size(); ++i)
                if (operand == parameters[i] && unmarked(arguments[i]) == edge.from) return id;
    return {};
}

void RefusalPaths::add(ExprId id, PathHop hop, Decision& decision) const {
    const ExprId origin = module_.origin(id);
    if (!origin.valid() || (!decision.path.empty() && decision.path.back() == origin)) return;
    if (!decision.path.empty()) decision.hops.push_back(hop);
    decision.path.push_back(origin);
}

void RefusalPaths::write(std::span<const ExprId> all, Decision& decision) {
    // Regions that were apart when this was decided may be one by now.
    std::vector<ExprId> stops{all.front()};
    for (size_t i = 1; i < all.size(); ++i)
        if (place_of(all[i]) != place_of(stops.back())) stops.push_back(all[i]);
    if (stops.size() < 3) stops.assign(all.begin(), all.end());
    for (size_t i = 0; i + 1 < stops.size(); ++i) {
        const Edge* way = edge(stops[i], stops[i + 1]);
        const bool is_first = i == 0, is_last = i + 2 == stops.size();
        if (!way) {
            if (!is_last) add(stops[i + 1], PathHop::Gap, decision);
            continue;
        }
        const Edge taken = *way;
        if (!is_first) add(taken.from, PathHop::Inside, decision);
        if (is_last) continue;
        if (const ExprId inner = inner_user(taken); inner.valid()) {
            add(inner, PathHop::Data, decision);
            add(taken.to, PathHop::Inside, decision);
        } else {
            add(taken.to, PathHop::Data, decision);
        }
    }
}

}  // namespace partita
