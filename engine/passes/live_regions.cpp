#include "engine/passes/live_regions.h"

#include <algorithm>

#include "engine/ops/annotations.h"
#include "engine/ops/cost.h"

namespace partita {

LiveRegions::LiveRegions(const Module& module, RegionSet& regions, MarkReader& reader, const UserTable& users,
                         std::function<bool(ExprId)> is_weight)
    : module_(module), regions_(regions), reader_(reader), users_(users), is_weight_(std::move(is_weight)) {}

double LiveRegions::most_of_both(int32_t producer, int32_t region) {
    keep_answer_if_united();
    const ProfilePtr first = profile_of(producer), second = profile_of(region);
    Profile answer;
    if (const std::optional<double> most = in_turn(producer, *first, region, *second)) {
        answer = {*most, first->steps + second->steps, {first->span.first, second->span.second}, {}};
        for (const Profile* part : {first.get(), second.get()})
            for (ExprId end : part->leaving)
                if (leaves(end, producer, region)) answer.leaving.push_back(end);
    } else {
        answer = measure(producer, region);
    }
    asked_ = {key_of(producer), key_of(region)};
    answer_ = std::make_shared<const Profile>(std::move(answer));
    return answer_->most;
}

void LiveRegions::keep_answer_if_united() {
    if (!answer_ || regions_.find(asked_.first.first) != regions_.find(asked_.second.first)) return;
    profiles_.erase(asked_.first);
    profiles_.erase(asked_.second);
    profiles_[key_of(regions_.find(asked_.first.first))] = std::move(answer_);
    answer_.reset();
}

LiveRegions::ProfilePtr LiveRegions::profile_of(int32_t root) {
    ProfilePtr& profile = profiles_[key_of(root)];
    if (!profile) profile = std::make_shared<const Profile>(measure(root, root));
    return profile;
}

LiveRegions::Profile LiveRegions::measure(int32_t producer, int32_t region) {
    Profile profile;
    std::vector<ExprId> ends;
    const auto add_ends = [&](int32_t root) {
        for (int32_t e = regions_.first_end(root); e != RegionSet::kNone; e = regions_.next_end(e)) {
            ends.push_back(regions_.end(e));
            if (leaves(ends.back(), producer, region)) profile.leaving.push_back(ends.back());
        }
    };
    add_ends(producer);
    if (region != producer) add_ends(region);
    LiveBytes live(module_, both(producer, region), ends);
    for (ExprId end : profile.leaving) live.leave(end);
    profile.most = live.most();
    profile.steps = live.steps();
    profile.span = live.span();
    return profile;
}

std::optional<double> LiveRegions::in_turn(int32_t producer, const Profile& first, int32_t region,
                                           const Profile& second) {
    if (first.steps == 0 || second.steps == 0 || first.span.second >= second.span.first) return {};
    // What only passes through a region, as a tuple's field, would be taken as used there.
    const auto is_call = [&](ExprId end) { return module_.kind(unmarked(end)) == ExprKind::Call; };
    for (const Profile* part : {&first, &second})
        if (!std::all_of(part->leaving.begin(), part->leaving.end(), is_call)) return {};
    const std::optional<double> waiting_bytes = waiting(producer, first, region);
    if (!waiting_bytes) return {};
    std::vector<ExprId> used, stay;  // a value may have several ends
    for (ExprId end : first.leaving) {
        if (is_used_in(end, region)) used.push_back(unmarked(end));
        if (leaves(end, producer, region)) stay.push_back(unmarked(end));
    }
    std::sort(used.begin(), used.end());
    std::sort(stay.begin(), stay.end());
    stay.erase(std::unique(stay.begin(), stay.end()), stay.end());
    double staying = 0;
    for (ExprId value : stay) {
        const bool is_used = std::binary_search(used.begin(), used.end(), value);
        if (is_used && second.steps > 1) return {};  // it may outlive its last use there
        if (!is_used) staying += bytes(value);
    }
    return std::max(first.most + *waiting_bytes, second.most + staying);
}

std::optional<double> LiveRegions::waiting(int32_t producer, const Profile& first, int32_t region) {
    LiveBytes inside(module_, both(producer, region), {});
    std::vector<ExprId> found;
    for (int32_t b = region; b != RegionSet::kNone; b = regions_.next_begin(b)) {
        const ExprId value = unmarked(reader_.operand(regions_.begin(b)));
        for (ExprId source : inside.sources(value)) {
            if (is_weight_(source)) continue;
            // Through tuples it may enter both in ways that are not seen here, or as one of several fields.
            if (source != value) return {};
            if (is_in(source, producer, region)) continue;
            if (is_in_tuple(source)) return {};
            const bool enters_both = enters(source, producer);
            if (enters_both && first.steps > 1) return {};
            if (!enters_both) found.push_back(source);
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    double waiting = 0;
    for (ExprId value : found) waiting += bytes(value);
    return waiting;
}

LiveBytes::Region LiveRegions::both(int32_t producer, int32_t region) {
    return {[this](ExprId id) { return unmarked(id); },
            [this, producer, region](ExprId id) { return is_in(id, producer, region); }, is_weight_};
}

bool LiveRegions::is_in(ExprId id, int32_t producer, int32_t region) {
    const int32_t of = regions_.region_of(id);
    return of == producer || of == region;
}

/// Returns whether something outside both uses what the end marks.
bool LiveRegions::leaves(ExprId end, int32_t producer, int32_t region) {
    const std::span<const ExprId> users = users_.users(end);
    const auto is_inside = [&](ExprId user) {
        return reader_.mark(user) == Mark::Begin && is_in(user, producer, region);
    };
    return users.empty() || !std::all_of(users.begin(), users.end(), is_inside);
}

bool LiveRegions::is_used_in(ExprId end, int32_t region) {
    const std::span<const ExprId> users = users_.users(end);
    return std::any_of(users.begin(), users.end(), [&](ExprId user) { return regions_.region_of(user) == region; });
}

/// Returns whether a value from outside begins in the region.
bool LiveRegions::enters(ExprId value, int32_t region) {
    const auto begins_there = [&](ExprId user) {
        return reader_.mark(user) == Mark::Begin && regions_.region_of(user) == region;
    };
    for (ExprId user : users_.users(value)) {
        if (begins_there(user)) return true;
        if (reader_.mark(user) != Mark::End) continue;
        const std::span<const ExprId> marked = users_.users(user);
        if (std::any_of(marked.begin(), marked.end(), begins_there)) return true;
    }
    return false;
}

bool LiveRegions::is_in_tuple(ExprId value) const {
    const auto is_tuple = [&](ExprId user) { return module_.kind(user) == ExprKind::Tuple; };
    for (ExprId user : users_.users(value)) {
        if (is_tuple(user)) return true;
        if (reader_.mark(user) == Mark::None) continue;
        const std::span<const ExprId> marked = users_.users(user);
        if (std::any_of(marked.begin(), marked.end(), is_tuple)) return true;
    }
    return false;
}

double LiveRegions::bytes(ExprId value) const { return type_bytes(module_.types(), module_.type(value)); }

ExprId LiveRegions::unmarked(ExprId id) const {
    while (reader_.mark(id) != Mark::None) id = reader_.operand(id);
    return id;
}

}  // namespace partita
