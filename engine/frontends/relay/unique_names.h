// Names of variables in printed Relay text, unique over the whole module as in TVM: the first variable of a name has
// it, others get the smallest free number as a suffix.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/support/name_table.h"

namespace partita::relay {

class UniqueNames {
public:
    /// Returns the index of the name that a variable gets.
    uint32_t allocate(std::string_view hint) {
        candidate_ = valid_name(hint);
        uint32_t first = taken_.find(candidate_).value;
        if (first != NameId::kInvalid) {
            size_t length = candidate_.size();
            do {
                candidate_.resize(length);
                candidate_ += std::to_string(++counters_[first]);
            } while (taken_.find(candidate_).valid());
        }
        uint32_t name = taken_.intern(candidate_).value;
        counters_.resize(name + 1);
        return name;
    }

    std::string_view text(uint32_t name) const { return taken_.text(NameId(name)); }

    /// Returns a name of the same letters that Relay text can have.
    static std::string valid_name(std::string_view hint) {
        std::string name;
        if (hint.empty() || !is_letter(hint[0])) name += 'v';
        for (char c : hint) name += is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '/' ? c : '_';
        return name;
    }

private:
    static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    NameTable taken_;
    std::vector<uint32_t> counters_;  ///< by name: the last suffix tried
    std::string candidate_;
};

}  // namespace partita::relay
