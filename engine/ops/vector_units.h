// The vector instructions of the machine, and how a function is compiled for them.
//
// A kernel is written once as a template over the number of bytes in a vector register and instantiated under a
// `target` attribute for each unit. An ordinary branch chooses at run time: `target_clones` would run a resolver before
// the sanitizers have started.
#pragma once

#include <cstdlib>
#include <string_view>

namespace partita {

enum class VectorUnit { Baseline, Avx2, Avx512 };

#if defined(__x86_64__) && defined(__GNUC__)
#define PARTITA_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define PARTITA_TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma")))

/// Returns the best unit of the machine; PARTITA_VECTOR_UNIT in the environment, `avx2` or `baseline`, limits it, so
/// that a new machine can test the code of older ones.
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
