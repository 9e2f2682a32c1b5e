#include "engine/ir/module_blocks.h"

#include <algorithm>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

constexpr uint32_t kUnused = UINT32_MAX;
constexpr uint32_t kSmallestBlock = 3;  ///< operators
constexpr size_t kFewestBlocks = 3;
constexpr uint32_t kBeginning = 4;  ///< so many operators tell where the first block begins

/// Operators of one kind that come at a distance again and again: one in each block.
struct Anchors {
    std::vector<uint32_t> places;
    uint32_t distance = 0;  ///< the most frequent one
    uint64_t weight = 0;    ///< operators between those at that distance
};

class CallRunFinder {
public:
    explicit CallRunFinder(const OperatorSequence& operators)
        : kinds_(operators.kinds), crossing_(operators.kinds.size() + 1) {
        std::vector<int32_t> change(kinds_.size() + 2, 0);
        for (uint32_t i = 0; i < kinds_.size(); ++i) {
            if (operators.last_use[i] <= i) continue;
            ++change[i + 1];
            --change[operators.last_use[i] + 1];
        }
        int32_t live = 0;
        for (size_t i = 0; i < crossing_.size(); ++i) crossing_[i] = live += change[i];
    }

    std::vector<CallRun> find() {
        std::vector<std::pair<uint32_t, uint32_t>> parts{{0, uint32_t(kinds_.size())}};
        std::vector<CallRun> runs;
        while (!parts.empty() && runs.size() < size_t(kMostCallRuns)) {
            const auto [begin, end] = parts.back();
            parts.pop_back();
            if (end - begin < kSmallestBlock * kFewestBlocks) continue;
            CallRun run = find_in(begin, end);
            if (run.begins.empty()) continue;
            parts.emplace_back(begin, run.begins.front());
            parts.emplace_back(run.end, end);
            runs.push_back(std::move(run));
        }
        std::sort(runs.begin(), runs.end(),
                  [](const CallRun& a, const CallRun& b) { return a.begins.front() < b.begins.front(); });
        return runs;
    }

private:
    CallRun find_in(uint32_t begin, uint32_t end) const {
        const Anchors anchors = find_anchors(begin, end);
        if (anchors.places.size() < kFewestBlocks || !are_alike(anchors)) return {};
        return cut(anchors, begin, end);
    }

    Anchors find_anchors(uint32_t begin, uint32_t end) const {
        std::unordered_map<uint64_t, uint32_t> number;
        std::vector<std::vector<uint32_t>> places;  // in the order of the kinds' first operators
        for (uint32_t i = begin; i < end; ++i) {
            const auto [entry, added] = number.try_emplace(kinds_[i], uint32_t(places.size()));
            if (added) places.emplace_back();
            places[entry->second].push_back(i);
        }
        Anchors best;
        for (const std::vector<uint32_t>& of_kind : places) {
            Anchors found = regular_part(of_kind);
            if (found.places.size() >= kFewestBlocks && found.weight > best.weight) best = std::move(found);
        }
        return best;
    }

    /// Returns those of one kind that lie about the most frequent distance apart, as many as come one behind the other.
    static Anchors regular_part(const std::vector<uint32_t>& places) {
        Anchors anchors;
        if (places.size() < kFewestBlocks) return anchors;
        std::unordered_map<uint32_t, uint32_t> times;
        uint32_t most = 0;
        for (size_t i = 1; i < places.size(); ++i) {
            const uint32_t distance = places[i] - places[i - 1], count = ++times[distance];
            if (count < most || (count == most && distance < anchors.distance)) continue;
            most = count;
            anchors.distance = distance;
        }
        if (anchors.distance < kSmallestBlock) return anchors;
        size_t first = 0, best = 0, length = 0;
        for (size_t i = 1; i <= places.size(); ++i) {
            const uint32_t distance = i < places.size() ? places[i] - places[i - 1] : 0;
            if (2 * distance >= anchors.distance && 2 * distance <= 3 * anchors.distance) continue;
            if (i - first > length) best = first, length = i - first;
            first = i;
        }
        anchors.places.assign(places.begin() + ptrdiff_t(best), places.begin() + ptrdiff_t(best + length));
        for (size_t i = 1; i < anchors.places.size(); ++i)
            if (anchors.places[i] - anchors.places[i - 1] == anchors.distance) anchors.weight += anchors.distance;
        return anchors;
    }

    /// At least half of what lies between anchors, and two of it, is the same.
    bool are_alike(const Anchors& anchors) const {
        std::unordered_map<uint64_t, size_t> count;
        size_t most = 0;
        for (size_t i = 1; i < anchors.places.size(); ++i) {
            uint64_t hash = 0;
            for (uint32_t k = anchors.places[i - 1]; k < anchors.places[i]; ++k) hash = hash_combine(hash, kinds_[k]);
            most = std::max(most, ++count[hash]);
        }
        return most >= 2 && 2 * most >= anchors.places.size() - 1;
    }

    CallRun cut(const Anchors& anchors, uint32_t begin, uint32_t end) const {
        const uint32_t before = operators_before(anchors, end);
        CallRun run;
        for (uint32_t place : anchors.places) run.begins.push_back(place - std::min(before, place - begin));
        run.begins.front() = first_begin(run, begin);
        run.end = std::min(end, anchors.places.back() + anchors.distance - before);
        return run;
    }

    /// Returns how many operators of a block come before its anchor.
    uint32_t operators_before(const Anchors& anchors, uint32_t end) const {
        const std::vector<uint32_t>& at = anchors.places;
        std::vector<int64_t> cost(anchors.distance, 0);
        for (uint32_t before = 0; before < anchors.distance; ++before)
            for (size_t i = 1; i < at.size(); ++i) cost[before] += crossing_[at[i] - std::min(before, at[i])];
        const int64_t least = *std::min_element(cost.begin(), cost.end());
        // The last block ends as late as it is like the one before.
        const uint32_t last = at.back(), previous = at[at.size() - 2];
        uint32_t like = 0;
        while (like < anchors.distance && last + like < end && kinds_[last + like] == kinds_[previous + like]) ++like;
        uint32_t chosen = UINT32_MAX;
        for (uint32_t before = 0; before < anchors.distance && chosen == UINT32_MAX; ++before)
            if (cost[before] == least && before + like >= anchors.distance) chosen = before;
        if (chosen != UINT32_MAX) return chosen;
        return uint32_t(std::find(cost.begin(), cost.end(), least) - cost.begin());
    }

    /// What all blocks share, as a mask, is computed within the first one: that begins earlier by so much.
    uint32_t first_begin(const CallRun& run, uint32_t begin) const {
        const uint32_t first = run.begins[0], second = run.begins[1], third = run.begins[2];
        const uint32_t length = third - second;
        for (const uint32_t compared : {std::min(kBeginning, length), 1u})
            for (uint32_t back = 0; back <= std::min(length, first - begin); ++back)
                if (const auto at = kinds_.begin() + (first - back);
                    std::equal(at, at + compared, kinds_.begin() + second))
                    return first - back;
        return first;
    }

    std::span<const uint64_t> kinds_;
    std::vector<int32_t> crossing_;  ///< by position: values of operators before it that it or a later one uses
};

/// Returns, for each expression, the position of the last call that uses it, also through tuples and the like.
std::vector<uint32_t> last_uses(const Module& module, std::span<const ExprId> order,
                                const std::vector<uint32_t>& position) {
    std::vector<uint32_t> used(module.size(), kUnused);
    for (size_t i = order.size(); i-- > 0;) {
        const uint32_t own = position[order[i].value], user = own != kUnused ? own : used[order[i].value];
        if (user == kUnused) continue;
        for (ExprId operand : module.operands(order[i])) {
            uint32_t& last = used[operand.value];
            last = last == kUnused ? user : std::max(last, user);
        }
    }
    return used;
}

std::vector<ExprId> all_in_order(const Module& module) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions_by_name()) roots.push_back(global.function);
    return post_order(module, roots);
}

OperatorSequence operators_of(const Module& module, std::span<const ExprId> calls) {
    OperatorSequence operators{{calls.begin(), calls.end()}, {}, {}};
    std::vector<uint32_t> position(module.size(), kUnused);
    for (uint32_t i = 0; i < calls.size(); ++i) position[calls[i].value] = i;
    const std::vector<uint32_t> used = last_uses(module, all_in_order(module), position);
    for (uint32_t i = 0; i < calls.size(); ++i) {
        const OpId op = module.called_op(calls[i]);
        operators.kinds.push_back(
            hash_combine(op.valid() ? op.value : UINT32_MAX, module.attributes_id(calls[i]).value));
        const uint32_t last = used[calls[i].value];
        operators.last_use.push_back(last == kUnused ? i : std::max(i, last));
    }
    return operators;
}

}  // namespace

std::vector<CallRun> find_call_runs(const OperatorSequence& operators) { return CallRunFinder(operators).find(); }

ModuleBlocks::ModuleBlocks(const Module& module, std::span<const ExprId> calls)
    : ModuleBlocks(module, operators_of(module, calls)) {}

ModuleBlocks::ModuleBlocks(const Module& module, const OperatorSequence& operators) {
    const std::vector<CallRun> runs = find_call_runs(operators);
    if (runs.empty()) return;
    places_.resize(module.size());
    for (const CallRun& run : runs) place_calls(module, operators, run);
    place_others(module);
}

namespace {

/// What makes values for many blocks, as a mask, lies within the first one, but is none of it.
std::vector<bool> shared_by_blocks(const OperatorSequence& operators, const CallRun& run) {
    std::vector<bool> shared(operators.calls.size());
    for (uint32_t i = run.end_of(0); i-- > run.begins.front();) {
        const uint32_t last = operators.last_use[i];
        shared[i] = last >= run.end_of(1) || (last > i && shared[last]);
    }
    return shared;
}

}  // namespace

/// Operators of one kind and type are told apart by how many of them come before in the block.
void ModuleBlocks::place_calls(const Module& module, const OperatorSequence& operators, const CallRun& run) {
    const std::vector<bool> shared = shared_by_blocks(operators, run);
    for (uint32_t block = 0; block < run.begins.size(); ++block) {
        std::unordered_map<uint64_t, uint32_t> count;
        for (uint32_t i = run.begins[block]; i < run.end_of(block); ++i) {
            if (shared[i]) continue;
            const ExprId call = operators.calls[i];
            const uint64_t kind = hash_combine(operators.kinds[i], module.type(call).value);
            const uint64_t like = hash_combine(hash_combine(kind, ++count[kind]), sizes_.size());
            places_[call.value] = {int32_t(sizes_.size()), block, like};
        }
    }
    sizes_.push_back(uint32_t(run.begins.size()));
}

void ModuleBlocks::place_others(const Module& module) {
    const std::vector<ExprId> order = all_in_order(module);
    for (size_t i = order.size(); i-- > 0;) {
        const BlockPlace user = places_[order[i].value];
        if (user.run < 0) continue;
        const std::span<const ExprId> operands = module.operands(order[i]);
        for (size_t k = 0; k < operands.size(); ++k) {
            const ExprKind kind = module.kind(operands[k]);
            if (kind == ExprKind::Tuple || kind == ExprKind::Projection || kind == ExprKind::Constant)
                places_[operands[k].value] = {user.run, user.block, hash_combine(user.like, k + 1)};
        }
    }
}

}  // namespace partita
