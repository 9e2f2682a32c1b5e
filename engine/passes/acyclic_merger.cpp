#include "engine/passes/acyclic_merger.h"

#include <algorithm>

namespace partita {

AcyclicMerger::AcyclicMerger(RegionSet& regions, MarkReader& reader, const DependenceGraph& graph,
                             std::span<const ExprId> order, std::span<const std::vector<uint32_t>> cycles,
                             std::vector<MergeDecision>* decisions)
    : regions_(regions), reader_(reader), graph_(graph), decisions_(decisions) {
    vertex_of_region_.assign(size_t(regions.size()), kNo);
    vertex_of_expr_.assign(graph.vertex_count() - uint32_t(regions.size()), kNo);
    number_vertices(order, cycles);
    collect_edges();
    order_vertices();
    for (Side* side : {&forward_, &backward_}) {
        side->seen.assign(expr_of_.size(), 0);
        side->entry.assign(expr_of_.size(), -1);
    }
}

uint32_t AcyclicMerger::vertex_for(ExprId id, uint32_t cycle) {
    int32_t region = regions_.region_of(id);
    bool in_region = region != RegionSet::kNone && regions_.compiler(region) != CompilerNames::kDefault;
    if (in_region && vertex_of_region_[size_t(region)] != kNo) return vertex_of_region_[size_t(region)];
    uint32_t vertex = uint32_t(expr_of_.size());
    expr_of_.push_back(in_region ? representative(regions_, reader_, region) : id);
    cycle_of_.push_back(cycle);
    parent_.push_back(vertex);
    next_member_.push_back(kNo);
    last_member_.push_back(vertex);
    if (in_region) vertex_of_region_[size_t(region)] = vertex;
    return vertex;
}

void AcyclicMerger::number_vertices(std::span<const ExprId> order, std::span<const std::vector<uint32_t>> cycles) {
    std::vector<uint32_t> cycle_of(graph_.vertex_count(), kNo);
    for (uint32_t cycle = 0; cycle < cycles.size(); ++cycle)
        for (uint32_t vertex : cycles[cycle]) cycle_of[vertex] = cycle;
    for (ExprId id : order) {
        uint32_t cycle = cycle_of[graph_.vertex_of(id)];
        if (cycle == kNo) continue;
        expressions_.push_back(id);
        vertex_of_expr_[id.value] = vertex_for(id, cycle);
    }
}

namespace {

/// Sorts edges by their first vertex: edges of vertex v are list[begin[v] .. begin[v + 1]).
void make_rows(size_t vertices, std::span<const std::pair<uint32_t, uint32_t>> edges, bool reversed,
               std::vector<uint32_t>& begin, std::vector<uint32_t>& list) {
    begin.assign(vertices + 1, 0);
    list.resize(edges.size());
    for (auto [user, used] : edges) ++begin[(reversed ? used : user) + 1];
    for (size_t i = 1; i <= vertices; ++i) begin[i] += begin[i - 1];
    std::vector<uint32_t> at(begin.begin(), begin.end() - 1);
    for (auto [user, used] : edges) list[at[reversed ? used : user]++] = reversed ? user : used;
}

}  // namespace

void AcyclicMerger::collect_edges() {
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (ExprId id : expressions_) {
        uint32_t user = vertex_of_expr_[id.value];
        for (uint32_t i = 0;; ++i) {
            ExprId operand = graph_.use(id, i);
            if (!operand.valid()) break;
            uint32_t used = vertex_of_expr_[operand.value];
            if (used != kNo && used != user && cycle_of_[used] == cycle_of_[user]) edges.push_back({user, used});
        }
    }
    make_rows(expr_of_.size(), edges, false, uses_begin_, uses_);
    make_rows(expr_of_.size(), edges, true, users_begin_, users_);
}

void AcyclicMerger::order_vertices() {
    size_t count = expr_of_.size();
    std::vector<uint32_t> open(count), order;
    order.reserve(count);
    for (uint32_t vertex = 0; vertex < count; ++vertex) {
        open[vertex] = uses_begin_[vertex + 1] - uses_begin_[vertex];
        if (open[vertex] == 0) order.push_back(vertex);
    }
    for (size_t i = 0; i < order.size(); ++i)
        for (uint32_t e = users_begin_[order[i]]; e < users_begin_[order[i] + 1]; ++e)
            if (--open[users_[e]] == 0) order.push_back(users_[e]);
    ordered_.assign(count, false);
    for (uint32_t vertex : order) ordered_[vertex] = true;
    for (uint32_t vertex = 0; vertex < count; ++vertex)
        if (!ordered_[vertex]) order.push_back(vertex);
    order_ = std::make_unique<OrderedList>(order);
}

void AcyclicMerger::run(std::span<const int32_t> regions_in_order, const Allowed& allowed) {
    std::vector<int32_t> producers;
    for (int32_t region : regions_in_order) {
        if (!holds(region)) continue;
        // Merging lengthens the list of begins: what it holds now is the region's own.
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
    uint32_t from = find(vertex_of_region_[size_t(producer)]), to = find(vertex_of_region_[size_t(region)]);
    if (!ordered_[from] || !ordered_[to] || cycle_of_[from] != cycle_of_[to]) return;
    path_.clear();
    Verdict verdict = allowed(producer, region);
    bool merges = verdict.kind == DecisionKind::Merged && search(from, to);
    if (!merges && verdict.kind == DecisionKind::Merged) verdict.kind = DecisionKind::WouldCloseCycle;
    if (decisions_) decisions_->push_back({verdict.kind, region, producer, path_, std::move(verdict.detail)});
    if (merges) regions_.unite(producer, region);
}

void AcyclicMerger::start(Side& side, uint32_t vertex) {
    side.reached.clear();
    side.at = 0;
    side.member = vertex;
    side.edge = 0;
    reach(side, vertex, -1, vertex);
}

void AcyclicMerger::reach(Side& side, uint32_t vertex, int32_t from, uint32_t through) {
    if (side.seen[vertex] == query_) return;
    side.seen[vertex] = query_;
    side.entry[vertex] = int32_t(side.reached.size());
    side.reached.push_back({vertex, from, through});
}

std::span<const uint32_t> AcyclicMerger::edges(const Side& side, uint32_t vertex) const {
    const std::vector<uint32_t>& begin = &side == &forward_ ? users_begin_ : uses_begin_;
    const std::vector<uint32_t>& list = &side == &forward_ ? users_ : uses_;
    return {list.data() + begin[vertex], begin[vertex + 1] - begin[vertex]};
}

/// Follows one edge. `start` is where this side began, `goal` where the other did.
AcyclicMerger::Step AcyclicMerger::step(Side& side, Side& other, uint32_t start, uint32_t goal) {
    if (side.at == side.reached.size()) return Step::Exhausted;
    int32_t at = int32_t(side.at);
    std::span<const uint32_t> row = edges(side, side.member);
    if (side.edge == row.size()) {
        side.edge = 0;
        side.member = next_member_[side.member];
        if (side.member == kNo && ++side.at < side.reached.size()) side.member = side.reached[side.at].vertex;
        return Step::Going;
    }
    uint32_t through = row[side.edge++], vertex = find(through), current = side.reached[size_t(at)].vertex;
    bool forward = &side == &forward_;
    if (vertex == current) return Step::Going;
    if (vertex == goal) {
        if (current == start) return Step::Going;  // the edge that is to be contracted
        keep_path(forward ? at : 0, forward ? 0 : at);
        return Step::Found;
    }
    if (forward ? !order_->before(vertex, goal) : !order_->before(goal, vertex)) return Step::Going;
    if (other.seen[vertex] == query_) {
        keep_path(forward ? at : other.entry[vertex], forward ? other.entry[vertex] : at);
        return Step::Found;
    }
    reach(side, vertex, at, through);
    return Step::Going;
}

/// Entry 0 of a side is where it began, and no part of the path.
void AcyclicMerger::keep_path(int32_t forward_entry, int32_t backward_entry) {
    if (!decisions_) return;
    for (int32_t entry = forward_entry; entry > 0; entry = forward_.reached[size_t(entry)].from)
        path_.push_back(expr_of_[forward_.reached[size_t(entry)].through]);
    std::reverse(path_.begin(), path_.end());
    for (int32_t entry = backward_entry; entry > 0; entry = backward_.reached[size_t(entry)].from)
        path_.push_back(expr_of_[backward_.reached[size_t(entry)].through]);
}

/// Whether there is no path from the producer to the region but their own edges; then they are contracted.
bool AcyclicMerger::search(uint32_t producer, uint32_t region) {
    ++query_;
    start(forward_, producer);
    start(backward_, region);
    for (;;) {
        Step step_result = step(forward_, backward_, producer, region);
        if (step_result == Step::Found) return false;
        if (step_result == Step::Exhausted) {
            merge_behind(producer, region);
            return true;
        }
        step_result = step(backward_, forward_, region, producer);
        if (step_result == Step::Found) return false;
        if (step_result == Step::Exhausted) {
            merge_before(producer, region);
            return true;
        }
    }
}

/// What a side reached besides its start, in the present order.
std::vector<uint32_t> AcyclicMerger::sorted_reached(const Side& side) const {
    std::vector<uint32_t> vertices;
    for (size_t i = 1; i < side.reached.size(); ++i) vertices.push_back(side.reached[i].vertex);
    std::sort(vertices.begin(), vertices.end(), [&](uint32_t a, uint32_t b) { return order_->before(a, b); });
    return vertices;
}

/// All that depends on the producer and stands before the region moves behind the region, whose place the result takes.
void AcyclicMerger::merge_behind(uint32_t producer, uint32_t region) {
    uint32_t last = region;
    for (uint32_t vertex : sorted_reached(forward_)) {
        order_->move_behind(vertex, last);
        last = vertex;
    }
    order_->remove(producer);
    contract(producer, region);
}

/// All that the region depends on and stands behind the producer moves before it; the result takes the producer's
/// place.
void AcyclicMerger::merge_before(uint32_t producer, uint32_t region) {
    for (uint32_t vertex : sorted_reached(backward_)) order_->move_before(vertex, producer);
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
