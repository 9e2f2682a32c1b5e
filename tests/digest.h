// Digests in golden files.
#pragma once

#include <cstdint>
#include <string_view>

namespace partita {

/// FNV-1a of 32 bits (Fowler, Noll, Vo; draft-eastlake-fnv). `before`: the digest of what stands before the text.
constexpr uint32_t fnv_digest(std::string_view text, uint32_t before = 2166136261u) {
    for (const char c : text) before = (before ^ uint8_t(c)) * 16777619u;
    return before;
}

}  // namespace partita
