#include "engine/support/name_table.h"

#include <functional>

namespace partita {

size_t NameTable::slot_of(std::string_view name) const {
    size_t mask = slots_.size() - 1;
    size_t slot = std::hash<std::string_view>()(name) & mask;
    while (slots_[slot] != NameId::kInvalid && text(NameId(slots_[slot])) != name) slot = (slot + 1) & mask;
    return slot;
}

void NameTable::grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, NameId::kInvalid);
    for (uint32_t i = 0; i < size(); ++i) slots_[slot_of(text(NameId(i)))] = i;
}

NameId NameTable::intern(std::string_view name) {
    if ((size() + 1) * 2 > slots_.size()) grow();
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
