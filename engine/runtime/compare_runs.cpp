#include "engine/runtime/compare_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/called_function.h"
#include "engine/runtime/ratio_interval.h"

namespace partita {

namespace {

/// Fewer measurements have no meaningful quartiles.
constexpr int kFewestSamples = 3;

/// Two runs of one division differ by so much though neither shows it: its memory lies elsewhere.
constexpr double kFloor = 0.1;
/// A comparison that would miss a difference of this ratio says nothing.
constexpr double kTelling = 1.5;
/// The clock is read at both ends of what is measured.
constexpr double kClockMs = 0.0001;

/// Returns the uncertainty of a median, relative to it.
double noise_of(const Timing& time) { return std::max({time.spread, time.drift, kClockMs}) / time.median; }

/// A busy machine slows a module down by up to so many times what it slows the yardstick down. Chosen by measuring one
/// division again and again beside a compiler: 0 of 276 pairs of half a millisecond are called different.
constexpr double kPerState = 4, kPerDrift = 2;

/// Returns the ratio of two times with how sure it is: by ranks where enough parts are known, else by spreads, which
/// say no more than that two times may be the same.
RatioInterval interval_of(const Timing& a, const Timing& b) {
    const RatioInterval by_ranks = ratio_interval(a.parts, b.parts);
    if (by_ranks.is_known) return by_ranks;
    const double ratio = b.median / a.median, noise = ratio * (noise_of(a) + noise_of(b));
    return {ratio, ratio - noise, ratio + noise, false, ratio - noise, ratio + noise};
}

/// Returns the part by which the yardsticks of two runs differ: so much may be the machine's.
double drift_between(const RunReport& a, const RunReport& b) {
    if (a.yardstick.median <= 0 || b.yardstick.median <= 0) return 0;
    const RatioInterval yardstick = interval_of(a.yardstick, b.yardstick);
    const double state = std::max(yardstick.ratio, 1 / yardstick.ratio) - 1;
    // Not the rank test's interval: a few disturbed yardsticks do not shift the runs between them.
    const double off = std::max({yardstick.three_quarters - yardstick.ratio, yardstick.ratio - yardstick.quarter, 0.0});
    return kPerState * state + kPerDrift * off / yardstick.ratio;
}

/// Widens what was measured by what two runs differ by though nothing shows it, and by what may be the machine's: twice
/// as long and half as long are equally far from the same.
void widen(RatioInterval& sure, double of_machine) {
    if (sure.is_known) {
        sure.low /= 1 + kFloor;
        sure.high *= 1 + kFloor;
    } else {
        sure.low = std::min(sure.low, sure.ratio * (1 - kFloor));
        sure.high = std::max(sure.high, sure.ratio * (1 + kFloor));
    }
    sure.low /= 1 + of_machine;
    sure.high *= 1 + of_machine;
}

/// Whether spreads can be believed: those of an older file with enough measurements, or where they tell no difference.
bool are_enough(const Timing& a, const Timing& b, bool differ) {
    const bool only_few = !a.parts.empty() && !b.parts.empty();
    return a.samples >= kFewestSamples && b.samples >= kFewestSamples && !(only_few && differ);
}

TimingDifference difference_of(std::string name, int region_a, int region_b, const Timing& a, const Timing& b,
                               double of_machine) {
    TimingDifference difference{std::move(name), {}, region_a, region_b, a, b};
    if (a.median <= 0 || b.median <= 0) {
        difference.ratio = 0;
        return difference;
    }
    RatioInterval sure = interval_of(a, b);
    widen(sure, of_machine);
    const bool differ = sure.low > 1 || sure.high < 1;
    difference.ratio = b.median / a.median;
    difference.noise = std::max({difference.ratio - sure.low, sure.high - difference.ratio, 0.0});
    difference.noise_known = sure.is_known || are_enough(a, b, differ);
    difference.significant = difference.noise_known && differ;
    const bool is_itself = a.median == b.median && a.spread == b.spread && a.parts == b.parts;
    difference.too_noisy = !difference.significant && !is_itself && (sure.high > kTelling || sure.low < 1 / kTelling);
    return difference;
}

/// Returns whether two regions of one name have the same ops. In another division they may differ.
bool have_same_ops(const RegionTiming& a, const RegionTiming& b) {
    if (a.ops.empty() || b.ops.empty()) return a.calls == b.calls;  // measured as one
    std::vector<std::string_view> of_a, of_b;
    for (const OpTiming& op : a.ops) of_a.push_back(op.name);
    for (const OpTiming& op : b.ops) of_b.push_back(op.name);
    std::sort(of_a.begin(), of_a.end());
    std::sort(of_b.begin(), of_b.end());
    return of_a == of_b;
}

bool has_short_names(const RunReport& report) {
    return std::any_of(report.regions.begin(), report.regions.end(),
                       [](const RegionTiming& region) { return !region.short_name.empty(); });
}

std::vector<TimingDifference> compare_region_timings(const RunReport& a, const RunReport& b) {
    const double machine = drift_between(a, b);
    const bool by_short_name = has_short_names(a) && has_short_names(b);
    const auto key = [&](const RegionTiming& region) { return by_short_name ? region.shown() : region.name; };
    const auto add = [&](std::vector<TimingDifference>& to, const RegionTiming& region, int in_a, int in_b,
                         const Timing& time_a, const Timing& time_b) {
        to.push_back(difference_of(region.name, in_a, in_b, time_a, time_b, machine));
        to.back().short_name = region.short_name;
    };
    std::vector<TimingDifference> differences;
    std::map<std::string, int> only_b;
    for (size_t i = 0; i < b.regions.size(); ++i) only_b.emplace(key(b.regions[i]), int(i));
    for (size_t i = 0; i < a.regions.size(); ++i) {
        auto other = only_b.find(key(a.regions[i]));
        int index = other == only_b.end() ? -1 : other->second;
        Timing time_b = index < 0 ? Timing() : b.regions[size_t(index)].time;
        add(differences, a.regions[i], int(i), index, a.regions[i].time, time_b);
        TimingDifference& difference = differences.back();
        difference.in_b = index >= 0;
        if (index < 0) continue;
        difference.same_ops = have_same_ops(a.regions[i], b.regions[size_t(index)]);
        difference.significant = difference.significant && difference.same_ops;
        only_b.erase(other);
    }
    for (size_t i = 0; i < b.regions.size(); ++i)
        if (auto left = only_b.find(key(b.regions[i])); left != only_b.end() && left->second == int(i)) {
            add(differences, b.regions[i], -1, int(i), Timing(), b.regions[i].time);
            differences.back().in_a = false;
        }
    return differences;
}

void add(Timing& sum, const Timing& time) {
    sum.median += time.median;
    sum.minimum += time.minimum;
    sum.spread += time.spread;
    sum.drift += time.drift;
    sum.samples = time.samples;
}

/// Returns the times of all calls of each op together: medians add up; adding spreads gives the worst case.
std::map<std::string, Timing> times_by_op(const RunReport& report) {
    std::map<std::string, Timing> times;
    for (const RegionTiming& region : report.regions)
        for (const OpTiming& op : region.ops) {
            add(times[op.name], op.time);
        }
    return times;
}

std::vector<TimingDifference> compare_op_timings(const RunReport& a, const RunReport& b) {
    const double machine = drift_between(a, b);
    std::map<std::string, Timing> of_a = times_by_op(a), of_b = times_by_op(b);
    std::vector<TimingDifference> differences;
    for (const auto& [name, time] : of_a) {
        auto other = of_b.find(name);
        differences.push_back(
            difference_of(name, -1, -1, time, other == of_b.end() ? Timing() : other->second, machine));
        differences.back().in_b = other != of_b.end();
    }
    for (const auto& [name, time] : of_b) {
        if (of_a.contains(name)) continue;
        differences.push_back(difference_of(name, -1, -1, Timing(), time, machine));
        differences.back().in_a = false;
    }
    std::stable_sort(differences.begin(), differences.end(),
                     [](const TimingDifference& left, const TimingDifference& right) {
                         return std::max(left.a.median, left.b.median) > std::max(right.a.median, right.b.median);
                     });
    return differences;
}

/// What was timed as one.
struct TimedPart {
    std::vector<uint32_t> calls;
    const Timing* time;
    std::string name;  ///< of the call that bears the time, or of the region
};

std::string numbered(const OpTiming& op) { return op.name + " #" + std::to_string(op.number); }

std::vector<TimedPart> parts_of(const RunReport& report) {
    std::vector<TimedPart> parts;
    std::vector<uint32_t> members;
    for (const RegionTiming& region : report.regions) {
        for (const OpTiming& op : region.ops) members.insert(members.end(), op.members.begin(), op.members.end());
        if (!region.members.empty()) parts.push_back({region.members, &region.time, region.shown()});
    }
    std::sort(members.begin(), members.end());
    for (const RegionTiming& region : report.regions)
        for (const OpTiming& op : region.ops)
            if (!op.members.empty()) parts.push_back({op.members, &op.time, numbered(op)});
            else if (op.number > 0 && !std::binary_search(members.begin(), members.end(), op.number))
                parts.push_back({{op.number}, &op.time, numbered(op)});
    return parts;
}

/// Disjoint sets of the numbers of calls (Tarjan).
class CallSets {
public:
    uint32_t find(uint32_t call) {
        uint32_t root = call;
        while (parent(root) != root) root = parents_[root];
        for (uint32_t at = call; at != root;) at = std::exchange(parents_[at], root);
        return root;
    }
    void join(uint32_t a, uint32_t b) { parents_[find(a)] = find(b); }
    std::map<uint32_t, std::vector<uint32_t>> sets() {
        std::vector<uint32_t> calls;
        for (const auto& [call, _] : parents_) calls.push_back(call);
        std::sort(calls.begin(), calls.end());
        std::map<uint32_t, std::vector<uint32_t>> found;
        for (uint32_t call : calls) found[find(call)].push_back(call);
        return found;
    }

private:
    uint32_t parent(uint32_t call) { return parents_.try_emplace(call, call).first->second; }
    std::unordered_map<uint32_t, uint32_t> parents_;
};

struct TimedGroup {
    Timing times[2];
    int parts[2] = {0, 0};
    const TimedPart* first = nullptr;  ///< the part of the longest time
};

std::vector<TimingDifference> compare_group_timings(const RunReport& a, const RunReport& b) {
    const std::vector<TimedPart> of[2] = {parts_of(a), parts_of(b)};
    if (of[0].empty() || of[1].empty()) return {};
    CallSets sets;
    for (const std::vector<TimedPart>& parts : of)
        for (const TimedPart& part : parts)
            for (uint32_t call : part.calls) sets.join(call, part.calls.front());
    std::map<uint32_t, TimedGroup> groups;
    for (int side = 0; side < 2; ++side)
        for (const TimedPart& part : of[side]) {
            TimedGroup& group = groups[sets.find(part.calls.front())];
            add(group.times[side], *part.time);
            ++group.parts[side];
            if (!group.first || part.time->median > group.first->time->median) group.first = &part;
        }
    const double machine = drift_between(a, b);
    std::vector<TimingDifference> differences;
    for (auto& [root, calls] : sets.sets()) {
        const TimedGroup& group = groups[root];
        differences.push_back(difference_of(group.first->name, -1, -1, group.times[0], group.times[1], machine));
        TimingDifference& made = differences.back();
        made.calls = std::move(calls);
        made.in_a = (made.parts_a = group.parts[0]) > 0;
        made.in_b = (made.parts_b = group.parts[1]) > 0;
    }
    const auto by = [](const TimingDifference& each) { return std::abs(each.a.median - each.b.median); };
    std::stable_sort(differences.begin(), differences.end(),
                     [&by](const auto& left, const auto& right) { return by(left) > by(right); });
    return differences;
}

}  // namespace

TimingVerdict verdict_on(const TimingDifference& difference) {
    if (!difference.in_a) return TimingVerdict::OnlyInB;
    if (!difference.in_b) return TimingVerdict::OnlyInA;
    if (!difference.same_ops) return TimingVerdict::OtherOps;
    const bool zero_a = difference.a.median <= 0, zero_b = difference.b.median <= 0;
    if (zero_a && zero_b) return TimingVerdict::Same;      // both take no time that a clock shows
    if (zero_a || zero_b) return TimingVerdict::TooNoisy;  // one does, and a ratio to nothing says nothing
    if (!difference.noise_known) return TimingVerdict::TooFewRuns;
    if (difference.significant) return difference.ratio < 1 ? TimingVerdict::Faster : TimingVerdict::Slower;
    return difference.too_noisy ? TimingVerdict::TooNoisy : TimingVerdict::Same;
}

RunDifference compare_timings(const RunReport& a, const RunReport& b) {
    return {difference_of("", -1, -1, a.time, b.time, drift_between(a, b)), compare_region_timings(a, b),
            compare_op_timings(a, b), compare_group_timings(a, b)};
}

const RegionDifference* first_wrong(const std::vector<RegionDifference>& regions) {
    for (const RegionDifference& region : regions)
        if (!region.within_tolerance) return &region;
    for (const RegionDifference& region : regions)
        if (region.given_wrong_values) return &region;
    return nullptr;
}

bool all_within(const std::vector<OutputDifference>& differences) {
    return std::all_of(differences.begin(), differences.end(),
                       [](const OutputDifference& each) { return each.within_tolerance; });
}

std::vector<ExprId> origins_of_results(const Module& module, ExprId call, size_t count) {
    std::vector<ExprId> origins(count);
    const ExprId function = called_function(module, call);
    if (!function.valid()) return origins;
    const ExprId body = module.body(function);
    const bool is_tuple = module.kind(body) == ExprKind::Tuple;
    for (size_t i = 0; i < count; ++i) {
        if (is_tuple && module.operands(body).size() == count) origins[i] = module.origin(module.operands(body)[i]);
        else if (!is_tuple && count == 1) origins[i] = module.origin(body);
    }
    return origins;
}

namespace {

/// Keeps values as long as they are no more bytes than may be kept.
std::vector<RegionValue> keep_values(const Module& module, const RegionOutputs& region, const std::vector<Tensor>& own,
                                     size_t& bytes_left) {
    std::vector<RegionValue> values;
    size_t bytes = 0;
    for (size_t i = 0; i < own.size() && i < region.outputs.size(); ++i)
        bytes += own[i].byte_size() + region.outputs[i].byte_size();
    if (bytes > bytes_left) return values;
    bytes_left -= bytes;
    const std::vector<ExprId> origins = origins_of_results(module, region.call, own.size());
    for (size_t i = 0; i < own.size() && i < region.outputs.size(); ++i)
        values.push_back({origins[i], own[i], region.outputs[i]});
    return values;
}

}  // namespace

Result<std::vector<RegionDifference>> compare_regions(const ModulePtr& partitioned, const RunOptions& options,
                                                      double tolerance) {
    RunOptions as_asked = options;
    as_asked.keep_region_outputs = true;
    as_asked.warmup = 0;
    as_asked.repeat = 1;
    RunOptions beside_default = as_asked;
    beside_default.beside_default = true;
    Result<RunReport> asked = run_module(partitioned, as_asked);
    if (!asked) return asked.error();
    Result<RunReport> both = run_module(partitioned, beside_default);
    if (!both) return both.error();
    std::vector<RegionDifference> differences;
    size_t bytes_left = kMostKeptValueBytes;
    for (size_t i = 0; i < asked->region_outputs.size() && i < both->region_outputs.size(); ++i) {
        const RegionOutputs& region = both->region_outputs[i];
        const std::vector<Tensor>& own = region.own_outputs.empty() ? region.outputs : region.own_outputs;
        RegionDifference difference;
        difference.call = region.call;
        difference.name = region.name;
        difference.outputs = compare_outputs(own, region.outputs, tolerance);
        difference.values = keep_values(*partitioned, region, own, bytes_left);
        difference.within_tolerance = all_within(difference.outputs);
        difference.given_wrong_values =
            difference.within_tolerance &&
            !all_within(compare_outputs(asked->region_outputs[i].outputs, region.outputs, tolerance));
        differences.push_back(std::move(difference));
    }
    return differences;
}

}  // namespace partita
