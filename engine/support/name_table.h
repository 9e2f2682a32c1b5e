// Interned strings: equal names have equal ids. One buffer holds all text, so a million names cost little more than
// their letters. Interning costs a hash of the name; looking up costs an index. A view stays valid until the next
// name is interned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/id.h"

namespace partita {

using NameId = Id<struct NameTag>;

class NameTable {
public:
    NameId intern(std::string_view name);
    /// Returns the id of a name, invalid if the table does not have it.
    NameId find(std::string_view name) const;
    std::string_view text(NameId name) const {
        uint64_t begin = ends_[name.value];
        return {text_.data() + begin, size_t(ends_[name.value + 1] - begin)};
    }
    size_t size() const { return ends_.size() - 1; }
    /// Reserves space for more names of `letters` letters in total.
    void reserve(size_t names, size_t letters);

private:
    size_t slot_of(std::string_view name) const;
    void set_slots(size_t slots);

    std::string text_;
    std::vector<uint64_t> ends_ = {0};  ///< name i lies between ends_[i] and ends_[i + 1]
    std::vector<uint32_t> slots_;       ///< open addressing, at most two thirds of a power of two, kInvalid if free
};

}  // namespace partita
