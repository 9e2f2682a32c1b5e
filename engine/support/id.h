// A typed index into a table, so that the compiler refuses an expression's index in place of a type's. Costs the same
// as its 32-bit integer. The default is the invalid id.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace partita {

template <class Tag>
struct Id {
    static constexpr uint32_t kInvalid = std::numeric_limits<uint32_t>::max();

    uint32_t value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(uint32_t index) : value(index) {}
    constexpr bool valid() const { return value != kInvalid; }
    constexpr auto operator<=>(const Id&) const = default;  // NOLINT(modernize-use-nullptr): its zero is no pointer
};

}  // namespace partita

template <class Tag>
struct std::hash<partita::Id<Tag>> {
    size_t operator()(partita::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.value); }
};
