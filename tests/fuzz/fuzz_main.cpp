// libFuzzer's entry; PARTITA_FUZZ_TARGET names the target.
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const partita::fuzz::Target* target = partita::fuzz::find_target(PARTITA_FUZZ_TARGET);
    target->run({reinterpret_cast<const char*>(data), size});
    return 0;
}
