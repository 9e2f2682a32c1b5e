#include "engine/program/memory_plan.h"

#include <map>
#include <queue>
#include <set>

namespace partita {

namespace {

constexpr size_t kAlignment = 64;

/// Free ranges of the arena, by offset and by size.
class FreeList {
public:
    /// Takes the smallest range that is large enough. Returns false if there is none.
    bool take(size_t bytes, size_t& offset) {
        auto fit = by_size_.lower_bound({bytes, 0});
        if (fit == by_size_.end()) return false;
        auto [size, begin] = *fit;
        erase(begin, size);
        if (size > bytes) insert(begin + bytes, size - bytes);
        offset = begin;
        return true;
    }

    void give(size_t offset, size_t bytes) {
        auto next = by_offset_.lower_bound(offset);
        if (next != by_offset_.end() && next->first == offset + bytes) {
            size_t size = next->second;
            erase(offset + bytes, size);
            bytes += size;
        }
        auto after = by_offset_.lower_bound(offset);
        if (after != by_offset_.begin()) {
            auto before = std::prev(after);
            if (before->first + before->second == offset) {
                auto [begin, size] = *before;
                erase(begin, size);
                offset = begin;
                bytes += size;
            }
        }
        insert(offset, bytes);
    }

    /// Removes the free range that ends at `end` and returns its size, or 0.
    size_t take_last(size_t end) {
        if (by_offset_.empty()) return 0;
        auto [begin, size] = *by_offset_.rbegin();
        if (begin + size != end) return 0;
        erase(begin, size);
        return size;
    }

private:
    void insert(size_t offset, size_t bytes) {
        by_offset_[offset] = bytes;
        by_size_.insert({bytes, offset});
    }
    void erase(size_t offset, size_t bytes) {
        by_offset_.erase(offset);
        by_size_.erase({bytes, offset});
    }

    std::map<size_t, size_t> by_offset_;
    std::set<std::pair<size_t, size_t>> by_size_;
};

}  // namespace

MemoryPlan plan_memory(std::span<const MemoryBlock> blocks) {
    MemoryPlan plan;
    plan.offsets.resize(blocks.size());
    FreeList free;
    using Ending = std::pair<uint32_t, uint32_t>;  // last step, block
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> live;
    auto rounded = [](size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; };
    for (uint32_t i = 0; i < blocks.size(); ++i) {
        size_t bytes = rounded(blocks[i].bytes);
        plan.block_bytes += bytes;
        if (bytes == 0) continue;
        while (!live.empty() && live.top().first < blocks[i].first) {
            uint32_t ended = live.top().second;
            live.pop();
            free.give(plan.offsets[ended], rounded(blocks[ended].bytes));
        }
        if (!free.take(bytes, plan.offsets[i])) {
            size_t tail = free.take_last(plan.arena_bytes);
            plan.offsets[i] = plan.arena_bytes - tail;
            plan.arena_bytes += bytes - tail;
        }
        live.push({blocks[i].last, i});
    }
    return plan;
}

}  // namespace partita
