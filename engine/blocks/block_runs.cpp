#include "engine/blocks/block_runs.h"

#include <algorithm>

#include "engine/blocks/repeated_blocks.h"

namespace partita {

namespace {
constexpr uint32_t kLongestPeriod = 24;  ///< in items
}

RunFinder::RunFinder(const std::vector<BlockItem>& items, const std::vector<uint32_t>& kinds, const CancelToken& cancel)
    : items_(items), kinds_(kinds), cancel_(cancel), taken_(items.size()) {
    hashes_.reserve(items.size());
    for (const BlockItem& item : items) hashes_.push_back(item.hash);
}

std::vector<BlockRun> RunFinder::find() {
    std::vector<Region> regions;
    for (uint32_t period = 1; period <= kLongestPeriod && period < items_.size(); ++period) {
        if (cancel_.cancelled()) return {};
        add_regions(period, regions);
    }
    std::sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
        if (a.covered != b.covered) return a.covered > b.covered;
        return a.period != b.period ? a.period < b.period : a.first < b.first;
    });
    std::vector<BlockRun> runs;
    for (const Region& region : regions) {
        BlockRun run;
        if (cancel_.cancelled()) return {};
        if (!claim(region, run)) continue;
        grow(run);
        std::fill(taken_.begin() + ptrdiff_t(run.bounds.front()), taken_.begin() + ptrdiff_t(run.bounds.back()), true);
        runs.push_back(std::move(run));
    }
    std::sort(runs.begin(), runs.end(),
              [](const BlockRun& a, const BlockRun& b) { return a.bounds.front() < b.bounds.front(); });
    return runs;
}

void RunFinder::add_regions(uint32_t period, std::vector<Region>& regions) const {
    size_t equal = 0;
    const size_t count = items_.size() - period;
    for (size_t i = 0; i < count; ++i) {
        if (hashes_[i] == hashes_[i + period]) {
            ++equal;
            continue;
        }
        if (equal > 0) add_region(i - equal, equal + period, period, regions);
        equal = 0;
    }
    add_region(count - equal, equal + period, period, regions);
}

void RunFinder::add_region(size_t first, size_t length, uint32_t period, std::vector<Region>& regions) const {
    const size_t times = length / period;
    if (times < 2) return;
    const uint32_t covered = operators_in(first, first + times * period);
    if (covered >= 2 * kSmallestBlock) regions.push_back({covered, period, first, length});
}

/// Makes a run of what no larger one has taken of a region.
bool RunFinder::claim(const Region& region, BlockRun& run) {
    const size_t last = region.first + region.length;
    size_t first = region.first;
    while (first < last && taken_[first]) ++first;
    size_t end = first;
    while (end < last && !taken_[end]) ++end;
    const size_t times = (end - first) / region.period;
    if (times < 2 || operators_in(first, first + times * region.period) < 2 * kSmallestBlock) return false;
    if (is_run_itself(first, std::min(end, first + size_t(3) * region.period), region.period)) return false;
    const size_t begin = best_beginning(first, (end - first) % region.period, region.period);
    run.period = region.period;
    for (size_t k = 0; k <= times; ++k) run.bounds.push_back(begin + k * region.period);
    return true;
}

/// Whether items repeat each other in more than half of some blocks: then those are runs, and the blocks some of the
/// next round.
bool RunFinder::is_run_itself(size_t first, size_t end, size_t length) const {
    for (size_t period = 1; period <= length / 2; ++period) {
        uint32_t covered = 0;
        size_t equal = 0;
        for (size_t i = first; i + period <= end; ++i) {
            if (i + period < end && hashes_[i] == hashes_[i + period]) {
                ++equal;
                continue;
            }
            if (equal >= period) covered += operators_in(i - equal, i + period);
            equal = 0;
        }
        if (covered >= 2 * kSmallestBlock && covered * 2 > operators_in(first, end)) return true;
    }
    return false;
}

size_t RunFinder::best_beginning(size_t first, size_t slack, size_t period) const {
    size_t best = first;
    for (size_t begin = first; begin <= first + slack; ++begin)
        if (items_[begin + period].reach > items_[best + period].reach) best = begin;
    return best;
}

/// Adds blocks on both sides that are the same or nearly.
void RunFinder::grow(BlockRun& run) {
    const size_t first = run.bounds[0];
    const uint32_t operators = operators_in(first, first + run.period);
    Counts unit;
    for (uint32_t i = items_[first].begin; i < items_[first].begin + operators; ++i) ++unit[kinds_[i]];
    while (run.bounds.back() < items_.size()) {
        const size_t next = run.bounds.back();
        const size_t length = is_repeated_at(run, next) ? run.period : near_block(unit, operators, next, false);
        if (length == 0) break;
        run.bounds.push_back(next + length);
    }
    std::vector<size_t> before;
    for (size_t end = first; end > 0;) {
        const bool same = end >= run.period && is_repeated_at(run, end - run.period);
        const size_t length = same ? run.period : near_block(unit, operators, end - 1, true);
        if (length == 0) break;
        before.push_back(end -= length);
    }
    run.model = before.size();
    run.bounds.insert(run.bounds.begin(), before.rbegin(), before.rend());
}

bool RunFinder::is_repeated_at(const BlockRun& run, size_t item) const {
    if (item + run.period > items_.size()) return false;
    for (size_t i = 0; i < run.period; ++i)
        if (taken_[item + i] || hashes_[item + i] != hashes_[run.bounds[run.model] + i]) return false;
    return true;
}

/// Returns how many items from one on, or backwards, are a block that is nearly the unit; 0 if none are.
size_t RunFinder::near_block(const Counts& unit, uint32_t operators, size_t from, bool backwards) const {
    const int64_t most = most_differences(operators);
    if (most == 0) return 0;
    Counts left = unit;
    int64_t missing = operators, more = 0, fewest = most + 1;
    size_t best = 0, length = 0;
    for (size_t item = from; item < items_.size() && !taken_[item] && more <= most; item += backwards ? -1 : 1) {
        for (uint32_t i = items_[item].begin; i < items_[item].end && more <= most; ++i)
            if (const auto found = left.find(kinds_[i]); found != left.end() && found->second-- > 0) --missing;
            else ++more;
        ++length;
        if (missing + more >= fewest) continue;
        fewest = missing + more;
        best = length;
    }
    return best;
}

}  // namespace partita
