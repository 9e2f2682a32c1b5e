// Mixing of 64-bit hashes (the finaliser of MurmurHash3, by Austin Appleby, in the public domain as a formula).
#pragma once

#include <cstdint>

namespace partita {

inline uint64_t hash_mix(uint64_t value) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdULL;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53ULL;
    return value ^ value >> 33;
}

inline uint64_t hash_combine(uint64_t seed, uint64_t value) {
    return hash_mix(seed * 0x9e3779b97f4a7c15ULL + value + 1);
}

}  // namespace partita
