// Which vector instructions the machine has, and how a function is compiled for them.
//
// A kernel is written once as a template over the number of bytes in a vector register and instantiated under a
// `target` attribute for each unit. The choice is made at run time by an ordinary branch: no resolver runs before the
// sanitizers have started, as it would with `target_clones`.
#pragma once

#include <cstdlib>
#include <string_view>

namespace partita {

enum class VectorUnit { Baseline, Avx2, Avx512 };

#if defined(__x86_64__) && defined(__GNUC__)
#define PARTITA_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define PARTITA_TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma")))

/// Returns the best unit of the machine; PARTITA_VECTOR_UNIT in the environment, `avx2` or `baseline`, names the best
/// to use, so that a new machine can test what older ones run.
inline VectorUnit vector_unit() {
    static const VectorUnit unit = [] {
        const char* variable = std::getenv("PARTITA_VECTOR_UNIT");
        const std::string_view most = variable ? variable : "";
        if (most == "baseline") return VectorUnit::Baseline;
        if (most != "avx2" && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
            return VectorUnit::Avx512;
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorUnit::Avx2;
        return VectorUnit::Baseline;
    }();
    return unit;
}
#else
#define PARTITA_TARGET_AVX2
#define PARTITA_TARGET_AVX512

inline VectorUnit vector_unit() { return VectorUnit::Baseline; }
#endif

}  // namespace partita
