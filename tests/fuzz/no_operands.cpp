// Empty replacements for libFuzzer's callbacks on comparison operands (ld --wrap).
#include <cstdint>

extern "C" {
void __wrap___sanitizer_cov_trace_cmp1(uint8_t, uint8_t) {}
void __wrap___sanitizer_cov_trace_cmp2(uint16_t, uint16_t) {}
void __wrap___sanitizer_cov_trace_cmp4(uint32_t, uint32_t) {}
void __wrap___sanitizer_cov_trace_cmp8(uint64_t, uint64_t) {}
void __wrap___sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t) {}
void __wrap___sanitizer_cov_trace_const_cmp2(uint16_t, uint16_t) {}
void __wrap___sanitizer_cov_trace_const_cmp4(uint32_t, uint32_t) {}
void __wrap___sanitizer_cov_trace_const_cmp8(uint64_t, uint64_t) {}
}
