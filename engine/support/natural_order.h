// The order in which people read names: region_2 before region_10.
#pragma once

#include <algorithm>
#include <string_view>

namespace partita {

/// A strict order: consecutive digits count as one number, other letters as bytes. Linear in the names.
inline bool natural_less(std::string_view a, std::string_view b) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const auto number_at = [&is_digit](std::string_view name, size_t at) {
        const size_t end = size_t(std::find_if_not(name.begin() + ptrdiff_t(at), name.end(), is_digit) - name.begin());
        while (at + 1 < end && name[at] == '0') ++at;
        return name.substr(at, end - at);
    };
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const std::string_view left = number_at(a, i), right = number_at(b, j);
            if (left.size() != right.size()) return left.size() < right.size();
            if (left != right) return left < right;
            i = size_t(left.data() + left.size() - a.data());
            j = size_t(right.data() + right.size() - b.data());
            continue;
        }
        if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
        ++i;
        ++j;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;  // equal except for zeros before a number
}

}  // namespace partita
