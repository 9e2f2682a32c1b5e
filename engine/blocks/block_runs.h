// Runs in a row of items. Internal to this folder.
#pragma once

#include <unordered_map>

#include "engine/blocks/block_graph.h"
#include "engine/support/cancel.h"

namespace partita {

/// A stretch of operators, or a run of several: operators [begin, end) of the order.
struct BlockItem {
    uint32_t begin = 0, end = 0;
    uint32_t reach = 0;  ///< for how many operators the value that enters it lives on
    int32_t group = -1;  ///< index of the FoundBlock that it is, or -1
    uint64_t hash = 0;   ///< equal where operators and wiring are

    uint32_t size() const { return end - begin; }
};

/// Blocks one behind the other: block k is made of the items [bounds[k], bounds[k + 1]).
struct BlockRun {
    std::vector<size_t> bounds;
    size_t period = 0;  ///< items of a block but for those that differ
    size_t model = 0;   ///< number of a block that is like most

    size_t times() const { return bounds.size() - 1; }
};

inline constexpr uint32_t kSmallestBlock = 3;  ///< nodes

/// Finds runs, those that cover most operators first. `kinds` are of the operators in their order. Linear but for
/// sorting.
class RunFinder {
public:
    RunFinder(const std::vector<BlockItem>& items, const std::vector<uint32_t>& kinds, const CancelToken& cancel);

    /// Ascending.
    std::vector<BlockRun> find();

private:
    /// Items that equal those a period later.
    struct Region {
        uint32_t covered = 0;  ///< operators
        uint32_t period = 0;
        size_t first = 0, length = 0;
    };
    using Counts = std::unordered_map<uint32_t, int64_t>;

    void add_regions(uint32_t period, std::vector<Region>& regions) const;
    void add_region(size_t first, size_t length, uint32_t period, std::vector<Region>& regions) const;
    bool claim(const Region& region, BlockRun& run);
    bool is_run_itself(size_t first, size_t end, size_t length) const;
    size_t best_beginning(size_t first, size_t slack, size_t period) const;
    void grow(BlockRun& run);
    bool is_repeated_at(const BlockRun& run, size_t item) const;
    size_t near_block(const Counts& unit, uint32_t operators, size_t from, bool backwards) const;
    uint32_t operators_in(size_t first, size_t end) const { return items_[end - 1].end - items_[first].begin; }

    const std::vector<BlockItem>& items_;
    const std::vector<uint32_t>& kinds_;
    const CancelToken& cancel_;
    std::vector<uint64_t> hashes_;  ///< of the items, one behind the other
    std::vector<bool> taken_;
};

}  // namespace partita
