#include "engine/passes/acyclic_merger.h"

#include <algorithm>
#include <numeric>

namespace partita {

AcyclicMerger::AcyclicMerger(RegionSet& regions, MarkReader& reader, const DependenceGraph& graph,
                             std::span<const ExprId> order, std::span<const std::vector<uint32_t>> cycles,
                             std::vector<MergeDecision>* decisions)
    : regions_(regions), reader_(reader), graph_(regions, reader, graph, order, cycles), decisions_(decisions),
      parent_(graph_.size()), next_member_(graph_.size(), kNo), last_member_(graph_.size()), ordered_(graph_.size()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    std::iota(last_member_.begin(), last_member_.end(), 0U);
    order_vertices();
    search_ = std::make_unique<TwoWaySearch>(graph_.size(), decisions != nullptr);
}

void AcyclicMerger::order_vertices() {
    std::vector<uint32_t> order = graph_.topological_order();
    for (uint32_t vertex : order) ordered_[vertex] = true;
    for (uint32_t vertex = 0; vertex < graph_.size(); ++vertex)
        if (!ordered_[vertex]) order.push_back(vertex);
    order_ = std::make_unique<OrderedList>(order);
}

void AcyclicMerger::run(std::span<const int32_t> regions_in_order, const Allowed& allowed) {
    std::vector<int32_t> producers;
    for (int32_t region : regions_in_order) {
        if (!holds(region)) continue;
        // Merging appends to the list of begins: at this point it holds only the region's own.
        producers.clear();
        for (int32_t b = region; b != RegionSet::kNone; b = regions_.next_begin(b)) {
            int32_t producer = regions_.region_of(reader_.operand(regions_.begin(b)));
            if (producer != RegionSet::kNone && holds(producer)) producers.push_back(producer);
        }
        for (int32_t producer : producers) try_to_merge(producer, region, allowed);
    }
}

void AcyclicMerger::try_to_merge(int32_t producer, int32_t region, const Allowed& allowed) {
    if (regions_.compiler(producer) != regions_.compiler(region)) return;
    producer = regions_.find(producer);
    region = regions_.find(region);
    if (producer == region) return;
    const uint32_t from = find(graph_.vertex_of_region(producer)), to = find(graph_.vertex_of_region(region));
    if (!ordered_[from] || !ordered_[to] || graph_.cycle(from) != graph_.cycle(to)) return;
    path_.clear();
    Verdict verdict = allowed(producer, region);
    bool merges = verdict.kind == DecisionKind::Merged && search(from, to);
    if (!merges && verdict.kind == DecisionKind::Merged) verdict.kind = DecisionKind::WouldCloseCycle;
    if (decisions_) decisions_->push_back({verdict.kind, region, producer, path_, std::move(verdict.detail)});
    if (merges) regions_.unite(producer, region);
}

/// Follows one edge. `start` is the vertex where this side began, `goal` the one where the other side did.
AcyclicMerger::Step AcyclicMerger::step(Side& side, Side& other, uint32_t start, uint32_t goal) {
    if (side.exhausted()) return Step::Exhausted;
    const bool forward = &side == &search_->forward;
    Cursor& cursor = forward ? forward_ : backward_;
    const int32_t at = int32_t(side.at);
    const uint32_t current = side.vertex();
    const std::span<const uint32_t> row = forward ? graph_.users(cursor.member) : graph_.uses(cursor.member);
    if (cursor.edge == row.size()) {
        cursor.edge = 0;
        cursor.member = next_member_[cursor.member];
        if (cursor.member == kNo && (++side.at, !side.exhausted())) cursor.member = side.vertex();
        return Step::Going;
    }
    const uint32_t through = row[cursor.edge++], vertex = find(through);
    if (vertex == current) return Step::Going;
    const auto met = [&](int32_t other_entry) {
        if (decisions_)  // entry 0 of a side is its start, which is not part of the path
            search_->append_path(
                path_, forward ? at : other_entry, forward ? other_entry : at, 1,
                [&](const TwoWaySearch::Reached& reached) { return graph_.expression(reached.through); });
        return Step::Found;
    };
    if (vertex == goal) return current == start ? Step::Going : met(0);  // Going: the edge that will be contracted
    if (forward ? !order_->before(vertex, goal) : !order_->before(goal, vertex)) return Step::Going;
    if (search_->has(other, vertex)) return met(other.entry_of(vertex));
    search_->reach(side, vertex, at, through);
    return Step::Going;
}

/// Returns whether no path leads from the producer to the region except their own edges; then contracts these.
bool AcyclicMerger::search(uint32_t producer, uint32_t region) {
    Side &forward = search_->forward, &backward = search_->backward;
    search_->begin();
    search_->reach(forward, producer, -1, producer);
    search_->reach(backward, region, -1, region);
    forward_ = {producer, 0};
    backward_ = {region, 0};
    const Side* exhausted = search_->run(
        forward, [&] { return step(forward, backward, producer, region); }, backward,
        [&] { return step(backward, forward, region, producer); });
    if (!exhausted) return false;
    if (exhausted == &forward) merge_behind(producer, region);
    else merge_before(producer, region);
    return true;
}

/// Returns what a side reached besides its start, in the current order.
std::vector<uint32_t> AcyclicMerger::sorted_reached(const Side& side) const {
    std::vector<uint32_t> vertices;
    for (size_t i = 1; i < side.reached.size(); ++i) vertices.push_back(side.reached[i].vertex);
    std::sort(vertices.begin(), vertices.end(), [&](uint32_t a, uint32_t b) { return order_->before(a, b); });
    return vertices;
}

/// Moves everything that depends on the producer and precedes the region behind the region; the result takes the
/// region's place.
void AcyclicMerger::merge_behind(uint32_t producer, uint32_t region) {
    uint32_t last = region;
    for (uint32_t vertex : sorted_reached(search_->forward)) {
        order_->move_behind(vertex, last);
        last = vertex;
    }
    order_->remove(producer);
    contract(producer, region);
}

/// Moves everything that the region depends on and that follows the producer before it; the result takes the producer's
/// place.
void AcyclicMerger::merge_before(uint32_t producer, uint32_t region) {
    for (uint32_t vertex : sorted_reached(search_->backward)) order_->move_before(vertex, producer);
    order_->move_behind(region, producer);
    order_->remove(producer);
    contract(producer, region);
}

void AcyclicMerger::contract(uint32_t producer, uint32_t region) {
    parent_[producer] = region;
    next_member_[last_member_[region]] = producer;
    last_member_[region] = last_member_[producer];
}

}  // namespace partita
