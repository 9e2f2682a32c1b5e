#include "engine/ops/quiet_nan.h"

#include <algorithm>

namespace partita {

namespace {

/// `Infinity`: its bits; those of NaN are larger, without the sign.
template <class Bits, Bits Infinity>
bool any_above(const Bits* bits, int64_t count) {
    constexpr int64_t kPart = 4096;
    constexpr Bits kSign = Bits(1) << (8 * sizeof(Bits) - 1), kRest = Bits(~kSign);
    for (int64_t begin = 0; begin < count; begin += kPart) {
        Bits most = 0;
        for (int64_t i = begin, end = std::min(count, begin + kPart); i < end; ++i)
            most = std::max(most, Bits(bits[i] & kRest));
        if (most > Infinity) return true;
    }
    return false;
}

}  // namespace

bool has_nan(const TensorView& tensor) {
    if (tensor.dtype == kFloat32) return any_above<uint32_t, 0x7F800000>(tensor.as<uint32_t>(), tensor.size());
    if (tensor.dtype == kFloat64) return any_above<uint64_t, 0x7FF0000000000000>(tensor.as<uint64_t>(), tensor.size());
    if (tensor.dtype == kFloat16) return any_above<uint16_t, 0x7C00>(tensor.as<uint16_t>(), tensor.size());
    if (tensor.dtype == kBFloat16) return any_above<uint16_t, 0x7F80>(tensor.as<uint16_t>(), tensor.size());
    return false;
}

}  // namespace partita
