#include "engine/passes/region_merger.h"

#include <algorithm>
#include <utility>

#include "engine/support/large_memory.h"

namespace partita {

ExprId representative(const RegionSet& regions, const MarkReader& reader, int32_t region) {
    int32_t end = regions.first_end(region);
    return reader.operand(end == RegionSet::kNone ? regions.begin(region) : regions.end(end));
}

RegionMerger::RegionMerger(const Module& module, RegionSet& regions, MarkReader& reader,
                           std::vector<MergeDecision>* decisions)
    : module_(module), regions_(regions), reader_(reader), decisions_(decisions) {
    size_t count = size_t(regions.size());
    fill_in_large_pages(finishing_index_, count, -1);
    in_progress_.assign(count, 0);
    fill_in_large_pages(producers_begin_, count);
    fill_in_large_pages(producer_count_, count);
    fill_in_large_pages(first_child_, count, -1);
    fill_in_large_pages(classes_, count);
    fill_in_large_pages(mark_, count, UINT32_MAX);
    reserve_in_large_pages(producers_, count);  // each is there by a begin
    reserve_in_large_pages(children_, count);
    reserve_in_large_pages(finished_, count);
    fill_in_large_pages(backward_.seen, count);
    fill_in_large_pages(forward_.seen, count);
    if (decisions) {
        decisions->reserve(count);
        backward_.entry.resize(count);
        forward_.entry.resize(count);
        for (int32_t region = 0; region < regions.size(); ++region)
            representatives_.push_back(representative(regions, reader, region));
    }
}

void RegionMerger::run(std::span<const ExprId> order) {
    order_ = order;
    for (position_ = 0; position_ < order.size(); ++position_) {
        ExprId id = order[position_];
        if (!visited_.empty()) visited_[id.value] = 1;
        if (reader_.mark(id) != Mark::End) continue;
        look_at(regions_.region_of(id));
        while (!tasks_.empty()) {
            if (tasks_.back().is_region) step_region();
            else step_expression();
        }
    }
}

void RegionMerger::look_at(int32_t region) {
    if (finishing_index_[size_t(region)] >= 0 || in_progress_[size_t(region)]) return;
    // In modules that annotate_target made, the producers always were looked at.
    if (list_producers(region, true)) {
        finish(region);
        return;
    }
    in_progress_[size_t(region)] = 1;
    tasks_.push_back({uint32_t(region), 0, true, region});
}

/// Makes sure that the regions which this one takes values from were looked at, then looks at this one.
void RegionMerger::step_region() {
    Task& task = tasks_.back();
    int32_t region = int32_t(task.what);
    while (task.begin != RegionSet::kNone) {
        ExprId operand = reader_.operand(regions_.begin(task.begin));
        int32_t producer = regions_.region_of(operand);
        task.begin = regions_.next_begin(task.begin);
        if (producer == RegionSet::kNone || producer == region || is_looked_at(producer)) continue;
        visit(operand);
        return;
    }
    tasks_.pop_back();
    list_producers(region, false);
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
    if (reader_.mark(id) == Mark::End) look_at(regions_.region_of(id));
}

void RegionMerger::finish(int32_t region) {
    finishing_index_[size_t(region)] = int32_t(finished_.size());
    finished_.push_back(region);
    for (int32_t producer : producers(region)) {
        children_.push_back({region, first_child_[size_t(producer)]});
        first_child_[size_t(producer)] = int32_t(children_.size() - 1);
    }
    for (int32_t i = 0; i < producer_count_[size_t(region)]; ++i) decide(region, producers(region)[size_t(i)]);
}

/// With `if_looked_at`: false, and none listed, where one of them was not looked at.
bool RegionMerger::list_producers(int32_t region, bool if_looked_at) {
    const size_t listed = producers_.size();
    mark_[size_t(region)] = uint32_t(region);  // a region is no producer of its own
    for (int32_t b = region; b != RegionSet::kNone; b = regions_.next_begin(b)) {
        int32_t producer = regions_.region_of(reader_.operand(regions_.begin(b)));
        if (producer == RegionSet::kNone || mark_[size_t(producer)] == uint32_t(region)) continue;
        if (if_looked_at && !is_looked_at(producer)) {
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

void RegionMerger::decide(int32_t region, int32_t producer) {
    if (regions_.compiler(producer) != regions_.compiler(region)) {
        refuse(region, producer);
        record(DecisionKind::DifferentBackend, region, producer);
    } else if (is_restricted(region, producer)) {
        record(DecisionKind::WouldCloseCycle, region, producer);
    } else if (Sentence limit = limits_ ? limits_->refusal(producer, region) : Sentence(); !limit.empty()) {
        refuse(region, producer);
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
    if (kind == DecisionKind::WouldCloseCycle) decisions_->back().path = std::exchange(path_, {});
}

void RegionMerger::refuse(int32_t region, int32_t producer) {
    ClassState& state = classes_[size_t(producer)];
    refusers_.push_back({region, state.first_refuser});
    state.first_refuser = int32_t(refusers_.size() - 1);
    if (state.last_refuser < 0) state.last_refuser = state.first_refuser;
    state.oldest_refuser = std::min(state.oldest_refuser, finishing_index_[size_t(region)]);
}

void RegionMerger::merge(int32_t producer, int32_t region) {
    ++merges_;
    regions_.unite(producer, region);
    absorb(classes_[size_t(region)], classes_[size_t(producer)]);
}

void RegionMerger::absorb(ClassState& into, ClassState& from) {
    if (from.first_refuser < 0) return;
    if (into.first_refuser < 0) {
        into = from;
        return;
    }
    // The stamps of the class with the oldest refuser stay valid for regions older than the other's refusers.
    bool keeps_own = into.oldest_refuser <= from.oldest_refuser;
    int32_t absorbed = keeps_own ? from.oldest_refuser : into.oldest_refuser;
    into.history = keeps_own ? into.history : from.history;
    if (into.history >= 0) {
        std::vector<Absorbed>& history = histories_[size_t(into.history)];
        while (!history.empty() && history.back().oldest >= absorbed) history.pop_back();
        history.push_back({++time_, absorbed});
    }
    refusers_[size_t(from.last_refuser)].next = into.first_refuser;
    into.first_refuser = from.first_refuser;
    into.oldest_refuser = std::min(into.oldest_refuser, from.oldest_refuser);
}

bool RegionMerger::is_restricted(int32_t region, int32_t class_root) {
    if (classes_[size_t(class_root)].first_refuser < 0) return false;
    start_search(region, class_root);
    for (;;) {
        Step step = step_backward(class_root);
        if (step == Step::Found) return true;
        if (step == Step::Exhausted) {
            stamp_reached(class_root);
            return false;
        }
        step = step_forward();
        if (step == Step::Found) return true;
        if (step == Step::Exhausted) return false;
    }
}

void RegionMerger::start_search(int32_t region, int32_t class_root) {
    ++query_;
    for (Side* side : {&backward_, &forward_}) {
        side->reached.clear();
        side->at = 0;
        side->edge = 0;
    }
    const ClassState& state = classes_[size_t(class_root)];
    forward_.refuser = state.first_refuser;
    newest_ = -1;
    for (int32_t producer : producers(region)) {
        int32_t index = finishing_index_[size_t(producer)];
        if (index < state.oldest_refuser || regions_.find(producer) == class_root || is_stamped(producer, class_root))
            continue;
        newest_ = std::max(newest_, index);
        reach(backward_, producer, -1);
    }
}

void RegionMerger::reach(Side& side, int32_t region, int32_t from) {
    uint32_t& seen = side.seen[size_t(region)];
    if (seen == query_) return;
    seen = query_;
    if (decisions_) side.entry[size_t(region)] = int32_t(side.reached.size());
    side.reached.push_back({region, from});
}

/// Follows one edge from a region that `region` depends on to one of its producers.
RegionMerger::Step RegionMerger::step_backward(int32_t class_root) {
    if (backward_.at == backward_.reached.size()) return Step::Exhausted;
    int32_t at = int32_t(backward_.at);
    std::span<const int32_t> edges = producers(backward_.reached[size_t(at)].region);
    if (size_t(backward_.edge) == edges.size()) {
        ++backward_.at;
        backward_.edge = 0;
        return Step::Going;
    }
    int32_t producer = edges[size_t(backward_.edge++)];
    if (regions_.find(producer) == class_root) return found(at, -1);
    if (finishing_index_[size_t(producer)] < classes_[size_t(class_root)].oldest_refuser) return Step::Going;
    if (forward_.seen[size_t(producer)] == query_) return found(at, decisions_ ? forward_.entry[size_t(producer)] : -1);
    if (!is_stamped(producer, class_root)) reach(backward_, producer, at);
    return Step::Going;
}

/// Follows one edge from a region that depends on the class to one that uses it.
RegionMerger::Step RegionMerger::step_forward() {
    if (forward_.at == forward_.reached.size()) return start_from_next_refuser();
    int32_t at = int32_t(forward_.at);
    if (forward_.edge < 0) {
        ++forward_.at;
        if (forward_.at < forward_.reached.size())
            forward_.edge = first_child_[size_t(forward_.reached[forward_.at].region)];
        return Step::Going;
    }
    ChildEdge edge = children_[size_t(forward_.edge)];
    forward_.edge = edge.next;
    int32_t child = edge.child;
    if (finishing_index_[size_t(child)] > newest_) return Step::Going;
    if (backward_.seen[size_t(child)] == query_) return found(decisions_ ? backward_.entry[size_t(child)] : -1, at);
    reach(forward_, child, at);
    return Step::Going;
}

RegionMerger::Step RegionMerger::start_from_next_refuser() {
    if (forward_.refuser < 0) return Step::Exhausted;
    Refuser refuser = refusers_[size_t(forward_.refuser)];
    forward_.refuser = refuser.next;
    if (finishing_index_[size_t(refuser.region)] > newest_) return Step::Going;
    if (backward_.seen[size_t(refuser.region)] == query_)
        return found(decisions_ ? backward_.entry[size_t(refuser.region)] : -1, -1);
    reach(forward_, refuser.region, -1);
    if (forward_.at < forward_.reached.size())
        forward_.edge = first_child_[size_t(forward_.reached[forward_.at].region)];
    return Step::Going;
}

/// Keeps the path from a refuser to the region: up the forward entries (-1: none), then down the backward ones.
RegionMerger::Step RegionMerger::found(int32_t backward_entry, int32_t forward_entry) {
    if (!decisions_) return Step::Found;
    path_.clear();
    for (int32_t entry = forward_entry; entry >= 0; entry = forward_.reached[size_t(entry)].from)
        path_.push_back(representatives_[size_t(forward_.reached[size_t(entry)].region)]);
    std::reverse(path_.begin(), path_.end());
    for (int32_t entry = backward_entry; entry >= 0; entry = backward_.reached[size_t(entry)].from)
        path_.push_back(representatives_[size_t(backward_.reached[size_t(entry)].region)]);
    return Step::Found;
}

bool RegionMerger::is_stamped(int32_t region, int32_t class_root) const {
    int32_t history = classes_[size_t(class_root)].history;
    if (history < 0) return false;
    const Stamp* stamps = &stamps_[size_t(region) * slots_ + slot_of(class_root)];
    for (uint32_t way = 0; way < kWays; ++way) {
        if (stamps[way].history != history) continue;
        const std::vector<Absorbed>& absorbed = histories_[size_t(history)];
        // Of what was absorbed since, the list keeps the falling minima from the back on: the first one counts.
        auto since = std::partition_point(absorbed.begin(), absorbed.end(),
                                          [&](const Absorbed& entry) { return entry.time <= stamps[way].time; });
        return since == absorbed.end() || since->oldest > finishing_index_[size_t(region)];
    }
    return false;
}

void RegionMerger::stamp_reached(int32_t class_root) {
    if (backward_.reached.empty()) return;
    if (stamps_.empty()) {
        int32_t compilers = 1;
        for (int32_t region : finished_) compilers = std::max(compilers, std::min(regions_.compiler(region) + 1, 4));
        slots_ = uint32_t(compilers) * kWays;
        stamps_.resize(size_t(regions_.size()) * slots_);
    }
    int32_t& history = classes_[size_t(class_root)].history;
    if (history < 0) {
        history = int32_t(histories_.size());
        histories_.emplace_back();
    }
    for (const Reached& reached : backward_.reached) stamp(reached.region, history, slot_of(class_root));
}

void RegionMerger::stamp(int32_t region, int32_t history, uint32_t slot) {
    Stamp* stamps = &stamps_[size_t(region) * slots_ + slot];
    uint32_t way = 0;
    while (way < kWays && stamps[way].history != history) ++way;
    if (way == kWays)
        way = stamps[0].history < 0 || (stamps[1].history >= 0 && stamps[0].time < stamps[1].time) ? 0 : 1;
    stamps[way] = {history, time_};
}

}  // namespace partita
