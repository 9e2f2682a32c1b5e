// A map from pairs of 32-bit numbers to a 32-bit number: open addressing with linear probing, 12 bytes for each slot,
// at most two thirds full. Entries are never removed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/support/hash.h"

namespace partita {

class PairMap {
public:
    static constexpr uint32_t kMissing = 0xffffffff;

    /// Returns the value of a pair; a new pair has kMissing, which the caller replaces. The first number of a pair is
    /// never 0xffffffff. Valid until the next call.
    uint32_t& at(uint32_t first, uint32_t second) {
        if ((count_ + 1) * 3 > slots_.size() * 2) grow();
        Slot& slot = find(first, second);
        if (slot.first == kMissing) {
            slot = {first, second, kMissing};
            ++count_;
        }
        return slot.value;
    }
    size_t size() const { return count_; }

private:
    struct Slot {
        uint32_t first = kMissing, second = 0, value = kMissing;
    };

    Slot& find(uint32_t first, uint32_t second) {
        size_t mask = slots_.size() - 1;
        size_t at = size_t(hash_mix(uint64_t(first) << 32 | second)) & mask;
        while (slots_[at].first != kMissing && (slots_[at].first != first || slots_[at].second != second))
            at = (at + 1) & mask;
        return slots_[at];
    }
    void grow() {
        std::vector<Slot> old = std::move(slots_);
        slots_.assign(old.empty() ? 64 : old.size() * 2, Slot());
        for (const Slot& slot : old)
            if (slot.first != kMissing) find(slot.first, slot.second) = slot;
    }

    std::vector<Slot> slots_;
    size_t count_ = 0;
};

}  // namespace partita
