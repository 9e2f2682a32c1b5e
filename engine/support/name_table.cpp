#include "engine/support/name_table.h"

#include <bit>
#include <functional>

namespace partita {

size_t NameTable::slot_of(std::string_view name) const {
    size_t mask = slots_.size() - 1;
    size_t slot = std::hash<std::string_view>()(name) & mask;
    while (slots_[slot] != NameId::kInvalid && text(NameId(slots_[slot])) != name) slot = (slot + 1) & mask;
    return slot;
}

void NameTable::set_slots(size_t slots) {
    slots_ = std::vector<uint32_t>();
    slots_.resize(slots, NameId::kInvalid);
    for (uint32_t i = 0; i < size(); ++i) slots_[slot_of(text(NameId(i)))] = i;
}

void NameTable::reserve(size_t names, size_t letters) {
    text_.reserve(text_.size() + letters);
    ends_.reserve(ends_.size() + names);
    size_t slots = std::bit_ceil((size() + names) * 3 / 2 + 1);
    if (slots > slots_.size()) set_slots(slots);
}

NameId NameTable::intern(std::string_view name) {
    if ((size() + 1) * 3 > slots_.size() * 2) set_slots(slots_.empty() ? 16 : slots_.size() * 2);
    size_t slot = slot_of(name);
    if (slots_[slot] == NameId::kInvalid) {
        slots_[slot] = uint32_t(size());
        text_.append(name);
        ends_.push_back(text_.size());
    }
    return NameId(slots_[slot]);
}

NameId NameTable::find(std::string_view name) const {
    if (slots_.empty()) return NameId();
    return NameId(slots_[slot_of(name)]);
}

}  // namespace partita
