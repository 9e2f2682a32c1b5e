#include "engine/support/name_table.h"

#include <bit>
#include <functional>

#include "engine/support/large_memory.h"

namespace partita {

namespace {

// Names made in sequence, such as a_1_i0, a_1_i1 or f_120 to f_129, differ in their last letter. They share a cache
// line of 16 slots, which the hash of all other letters selects.
//
// An id is smaller than the number of slots, 2^k. The 32 - k free bits of a slot hold bits of the name's hash that do
// not select the slot, so that the text is seldom compared with another name's.

struct Hash {
    explicit Hash(std::string_view name)
        : last(name.empty() ? 0 : uint8_t(name.back())),
          others(std::hash<std::string_view>()(name.substr(0, name.size() - !name.empty()))) {}

    size_t home(size_t slots) const {
        constexpr size_t kLine = 16;
        return (others / kLine * kLine + last % kLine) & (slots - 1);
    }
    uint32_t tag(size_t slots) const {
        int id_bits = std::countr_zero(slots);
        return id_bits >= 32 ? 0 : (uint32_t(uint64_t(others) >> 32) ^ last) << id_bits;
    }

    uint8_t last;
    size_t others;
};

uint32_t id_in(uint32_t slot, size_t slots) { return uint32_t(slot & (slots - 1)); }

}  // namespace

size_t NameTable::slot_of(std::string_view name) const {
    const Hash hash(name);
    const size_t mask = slots_.size() - 1;
    const uint32_t tag = hash.tag(slots_.size());
    for (size_t slot = hash.home(slots_.size());; slot = (slot + 1) & mask) {
        uint32_t found = slots_[slot];
        if (found == NameId::kInvalid) return slot;
        uint32_t id = id_in(found, slots_.size());
        if (found - id == tag && text(NameId(id)) == name) return slot;
    }
}

void NameTable::set_slots(size_t slots) {
    slots_ = std::vector<uint32_t>();
    fill_in_large_pages(slots_, slots, NameId::kInvalid);
    size_t mask = slots - 1;
    for (uint32_t id = 0; id < size(); ++id) {
        const Hash hash(text(NameId(id)));
        size_t slot = hash.home(slots);
        while (slots_[slot] != NameId::kInvalid) slot = (slot + 1) & mask;
        slots_[slot] = hash.tag(slots) | id;
    }
}

void NameTable::reserve(size_t names, size_t letters) {
    text_.reserve(text_.size() + letters);
    reserve_in_large_pages(ends_, ends_.size() + names);
    size_t slots = std::bit_ceil((size() + names) * 3 / 2 + 1);
    if (slots > slots_.size()) set_slots(slots);
}

NameId NameTable::intern(std::string_view name) {
    if ((size() + 1) * 3 > slots_.size() * 2) set_slots(slots_.empty() ? 16 : slots_.size() * 2);
    size_t slot = slot_of(name);
    if (slots_[slot] != NameId::kInvalid) return NameId(id_in(slots_[slot], slots_.size()));
    const NameId id{uint32_t(size())};
    slots_[slot] = Hash(name).tag(slots_.size()) | id.value;
    text_.append(name);
    ends_.push_back(text_.size());
    return id;
}

NameId NameTable::find(std::string_view name) const {
    if (slots_.empty()) return NameId();
    uint32_t found = slots_[slot_of(name)];
    return found == NameId::kInvalid ? NameId() : NameId(id_in(found, slots_.size()));
}

}  // namespace partita
