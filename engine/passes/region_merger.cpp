#include "engine/passes/region_merger.h"

#include <algorithm>
#include <utility>

#include "engine/support/large_memory.h"

namespace partita {

ExprId representative(const RegionSet& regions, const MarkReader& reader, int32_t region) {
    int32_t end = regions.first_end(region);
    return reader.operand(end == RegionSet::kNone ? regions.begin(region) : regions.end(end));
}

FinishedRegions::FinishedRegions(size_t regions) {
    fill_in_large_pages(index_, regions, -1);
    fill_in_large_pages(producers_begin_, regions);
    fill_in_large_pages(producer_count_, regions);
    fill_in_large_pages(first_user_, regions, -1);
    fill_in_large_pages(mark_, regions, UINT32_MAX);
    reserve_in_large_pages(producers_, regions);  // each has a begin
    reserve_in_large_pages(users_, regions);
    reserve_in_large_pages(finished_, regions);
}

template <class Accepts>
bool FinishedRegions::list_producers(int32_t region, RegionSet& regions, const MarkReader& reader, Accepts accepts) {
    const size_t listed = producers_.size();
    mark_[size_t(region)] = uint32_t(region);  // a region is not its own producer
    for (int32_t b = region; b != RegionSet::kNone; b = regions.next_begin(b)) {
        int32_t producer = regions.region_of(reader.operand(regions.begin(b)));
        if (producer == RegionSet::kNone || mark_[size_t(producer)] == uint32_t(region)) continue;
        if (!accepts(producer)) {
            for (size_t i = listed; i < producers_.size(); ++i) mark_[size_t(producers_[i])] = UINT32_MAX;
            producers_.resize(listed);
            return false;
        }
        mark_[size_t(producer)] = uint32_t(region);
        producers_.push_back(producer);
    }
    producers_begin_[size_t(region)] = uint32_t(listed);
    producer_count_[size_t(region)] = int32_t(producers_.size() - listed);
    return true;
}

void FinishedRegions::finish(int32_t region) {
    index_[size_t(region)] = int32_t(finished_.size());
    finished_.push_back(region);
    for (int32_t producer : producers(region)) {
        users_.push_back({region, first_user_[size_t(producer)]});
        first_user_[size_t(producer)] = int32_t(users_.size() - 1);
    }
}

Restrictions::Restrictions(RegionSet& regions, const FinishedRegions& finished, bool keeps_paths)
    : regions_(regions), finished_(finished), search_(size_t(regions.size()), keeps_paths) {
    fill_in_large_pages(classes_, size_t(regions.size()));
}

void Restrictions::add(int32_t region, int32_t producer) {
    ClassState& state = classes_[size_t(producer)];
    refusers_.push_back({region, state.first_refuser});
    state.first_refuser = int32_t(refusers_.size() - 1);
    if (state.last_refuser < 0) state.last_refuser = state.first_refuser;
    state.oldest_refuser = std::min(state.oldest_refuser, finished_.index(region));
}

void Restrictions::unite(int32_t from, int32_t into) {
    const ClassState& absorbed = classes_[size_t(from)];
    ClassState& state = classes_[size_t(into)];
    if (absorbed.first_refuser < 0) return;
    if (state.first_refuser < 0) {
        state = absorbed;
        return;
    }
    refusers_[size_t(absorbed.last_refuser)].next = state.first_refuser;
    state.first_refuser = absorbed.first_refuser;
    state.oldest_refuser = std::min(state.oldest_refuser, absorbed.oldest_refuser);
}

bool Restrictions::holds(int32_t region, int32_t class_root, std::vector<int32_t>* path) {
    if (classes_[size_t(class_root)].first_refuser < 0) return false;
    start(region, class_root);
    const auto backward = [&] { return step_backward(class_root); };
    const auto forward = [&] { return step_forward(); };
    if (search_.run(search_.backward, backward, search_.forward, forward)) return false;
    if (path) {
        path->clear();
        search_.append_path(*path, met_forward_, met_backward_, 0,
                            [](const TwoWaySearch::Reached& reached) { return int32_t(reached.vertex); });
    }
    return true;
}

void Restrictions::start(int32_t region, int32_t class_root) {
    search_.begin();
    producer_ = 0;
    user_edge_ = -1;
    const ClassState& state = classes_[size_t(class_root)];
    next_refuser_ = state.first_refuser;
    newest_ = -1;
    for (int32_t producer : finished_.producers(region)) {
        const int32_t index = finished_.index(producer);
        if (index < state.oldest_refuser || regions_.find(producer) == class_root) continue;
        newest_ = std::max(newest_, index);
        search_.reach(search_.backward, uint32_t(producer), -1, 0);
    }
}

/// Follows one edge from a region that `region` depends on to one of its producers.
Restrictions::Step Restrictions::step_backward(int32_t class_root) {
    TwoWaySearch::Side& side = search_.backward;
    if (side.exhausted()) return Step::Exhausted;
    const std::span<const int32_t> edges = finished_.producers(int32_t(side.vertex()));
    if (producer_ == edges.size()) {
        ++side.at;
        producer_ = 0;
        return Step::Going;
    }
    const int32_t producer = edges[producer_++];
    if (regions_.find(producer) == class_root) return found(-1, int32_t(side.at));
    if (finished_.index(producer) < classes_[size_t(class_root)].oldest_refuser) return Step::Going;
    if (search_.has(search_.forward, uint32_t(producer)))
        return found(search_.forward.entry_of(uint32_t(producer)), int32_t(side.at));
    search_.reach(side, uint32_t(producer), int32_t(side.at), 0);
    return Step::Going;
}

/// Follows one edge from a region that depends on the class to one that uses it.
Restrictions::Step Restrictions::step_forward() {
    TwoWaySearch::Side& side = search_.forward;
    if (side.exhausted()) return start_from_next_refuser();
    if (user_edge_ < 0) {
        ++side.at;
        if (!side.exhausted()) user_edge_ = finished_.first_user(int32_t(side.vertex()));
        return Step::Going;
    }
    const int32_t user = finished_.user(user_edge_);
    user_edge_ = finished_.next_user(user_edge_);
    if (finished_.index(user) > newest_) return Step::Going;
    if (search_.has(search_.backward, uint32_t(user)))
        return found(int32_t(side.at), search_.backward.entry_of(uint32_t(user)));
    search_.reach(side, uint32_t(user), int32_t(side.at), 0);
    return Step::Going;
}

Restrictions::Step Restrictions::start_from_next_refuser() {
    if (next_refuser_ < 0) return Step::Exhausted;
    const Refuser refuser = refusers_[size_t(next_refuser_)];
    next_refuser_ = refuser.next;
    if (finished_.index(refuser.region) > newest_) return Step::Going;
    if (search_.has(search_.backward, uint32_t(refuser.region)))
        return found(-1, search_.backward.entry_of(uint32_t(refuser.region)));
    search_.reach(search_.forward, uint32_t(refuser.region), -1, 0);
    if (!search_.forward.exhausted()) user_edge_ = finished_.first_user(int32_t(search_.forward.vertex()));
    return Step::Going;
}

RegionMerger::RegionMerger(const Module& module, RegionSet& regions, MarkReader& reader,
                           std::vector<MergeDecision>* decisions)
    : module_(module), regions_(regions), reader_(reader), decisions_(decisions), finished_(size_t(regions.size())),
      restrictions_(regions, finished_, decisions != nullptr), in_progress_(size_t(regions.size())) {
    if (!decisions) return;
    decisions->reserve(size_t(regions.size()));
    for (int32_t region = 0; region < regions.size(); ++region)
        representatives_.push_back(representative(regions, reader, region));
}

void RegionMerger::run(std::span<const ExprId> order) {
    order_ = order;
    for (position_ = 0; position_ < order.size(); ++position_) {
        ExprId id = order[position_];
        if (!visited_.empty()) visited_[id.value] = 1;
        if (reader_.mark(id) != Mark::End) continue;
        enter(regions_.region_of(id));
        while (!tasks_.empty()) {
            if (tasks_.back().is_region) step_region();
            else step_expression();
        }
    }
}

void RegionMerger::enter(int32_t region) {
    if (is_entered(region)) return;
    // In modules from annotate_target, all producers were entered before.
    if (finished_.list_producers(region, regions_, reader_, [&](int32_t producer) { return is_entered(producer); })) {
        finish(region);
        return;
    }
    in_progress_[size_t(region)] = 1;
    tasks_.push_back({uint32_t(region), 0, true, region});
}

/// Processes the producers of this region first, then the region.
void RegionMerger::step_region() {
    Task& task = tasks_.back();
    int32_t region = int32_t(task.what);
    while (task.begin != RegionSet::kNone) {
        ExprId operand = reader_.operand(regions_.begin(task.begin));
        int32_t producer = regions_.region_of(operand);
        task.begin = regions_.next_begin(task.begin);
        if (producer == RegionSet::kNone || producer == region || is_entered(producer)) continue;
        visit(operand);
        return;
    }
    tasks_.pop_back();
    finished_.list_producers(region, regions_, reader_, [](int32_t) { return true; });
    finish(region);
}

void RegionMerger::visit(ExprId id) {
    if (visited_.empty()) {
        visited_.assign(module_.size(), 0);
        for (size_t i = 0; i <= position_; ++i) visited_[order_[i].value] = 1;
    }
    if (visited_[id.value]) return;
    visited_[id.value] = 1;
    tasks_.push_back({id.value, 0, false, RegionSet::kNone});
}

void RegionMerger::step_expression() {
    Task& task = tasks_.back();
    ExprId id(task.what);
    std::span<const ExprId> operands = module_.operands(id);
    while (task.next < operands.size()) {
        ExprId operand = operands[task.next++];
        if (visited_[operand.value]) continue;
        visit(operand);
        return;
    }
    tasks_.pop_back();
    if (reader_.mark(id) == Mark::End) enter(regions_.region_of(id));
}

void RegionMerger::finish(int32_t region) {
    finished_.finish(region);
    const size_t count = finished_.producers(region).size();
    for (size_t i = 0; i < count; ++i) decide(region, finished_.producers(region)[i]);
}

void RegionMerger::decide(int32_t region, int32_t producer) {
    if (regions_.compiler(producer) != regions_.compiler(region)) {
        restrictions_.add(region, producer);
        record(DecisionKind::DifferentBackend, region, producer);
    } else if (restrictions_.holds(region, producer, decisions_ ? &path_ : nullptr)) {
        record(DecisionKind::WouldCloseCycle, region, producer);
    } else if (Sentence limit = limits_ ? limits_->refusal(producer, region) : Sentence(); !limit.empty()) {
        restrictions_.add(region, producer);
        record(DecisionKind::MergeLimit, region, producer);
        if (decisions_) decisions_->back().detail = std::move(limit);
    } else {
        merge(producer, region);
        record(DecisionKind::Merged, region, producer);
    }
}

void RegionMerger::record(DecisionKind kind, int32_t region, int32_t producer) {
    if (!decisions_) return;
    decisions_->push_back({kind, region, producer, {}});
    if (kind != DecisionKind::WouldCloseCycle) return;
    for (int32_t on_path : path_) decisions_->back().path.push_back(representatives_[size_t(on_path)]);
}

void RegionMerger::merge(int32_t producer, int32_t region) {
    ++merges_;
    regions_.unite(producer, region);
    restrictions_.unite(producer, region);
}

}  // namespace partita
