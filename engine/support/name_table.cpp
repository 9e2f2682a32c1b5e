#include "engine/support/name_table.h"

#include <bit>
#include <functional>

#include "engine/support/large_memory.h"

namespace partita {

namespace {

// An id is smaller than the number of slots, 2^k. The 32 - k bits of a slot that it leaves free hold bits of the name's
// hash that don't say where the slot is, so that a slot of another name is seldom asked for the text.

int id_bits(size_t slots) { return std::countr_zero(slots); }

uint32_t tag_of(size_t hash, size_t slots) {
    return id_bits(slots) >= 32 ? 0 : uint32_t(uint64_t(hash) >> 32) << id_bits(slots);
}

uint32_t id_in(uint32_t slot, size_t slots) { return uint32_t(slot & (slots - 1)); }

}  // namespace

size_t NameTable::slot_of(std::string_view name) const {
    size_t mask = slots_.size() - 1, hash = std::hash<std::string_view>()(name), slot = hash & mask;
    uint32_t tag = tag_of(hash, slots_.size());
    for (;; slot = (slot + 1) & mask) {
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
        size_t hash = std::hash<std::string_view>()(text(NameId(id))), slot = hash & mask;
        while (slots_[slot] != NameId::kInvalid) slot = (slot + 1) & mask;
        slots_[slot] = tag_of(hash, slots) | id;
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
    slots_[slot] = tag_of(std::hash<std::string_view>()(name), slots_.size()) | id.value;
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
