#include "engine/ops/gather.h"

#include <algorithm>
#include <cstring>

namespace partita {

namespace {

template <class T>
void gather_as(const std::vector<GatherAxis>& axes, const T* data, T* result, T filler, ThreadPool& threads) {
    const GatherAxis& last = axes.back();
    int64_t columns = int64_t(last.source.size()), rows = 1;
    for (size_t a = 0; a + 1 < axes.size(); ++a) rows *= int64_t(axes[a].source.size());
    if (columns == 0) return;
    threads.parallel_for(rows, std::max<int64_t>(1, 16384 / columns), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            int64_t source = 0, target = 0, rest = row;
            bool is_filler = false;
            for (size_t a = axes.size() - 1; a-- > 0;) {
                size_t index = size_t(rest % int64_t(axes[a].source.size()));
                rest /= int64_t(axes[a].source.size());
                is_filler |= axes[a].source[index] == GatherAxis::kFiller;
                source += axes[a].source[index];
                target += axes[a].target[index];
            }
            for (int64_t column = 0; column < columns; ++column) {
                int64_t from = last.source[size_t(column)];
                result[target + last.target[size_t(column)]] =
                    is_filler || from == GatherAxis::kFiller ? filler : data[source + from];
            }
        }
    });
}

}  // namespace

void gather_elements(const std::vector<GatherAxis>& axes, const void* data, void* result, const void* filler,
                     size_t element_bytes, ThreadPool& threads) {
    if (axes.empty()) {
        std::memcpy(result, data, element_bytes);
        return;
    }
    auto gather = [&](auto zero) {
        using T = decltype(zero);
        T value = zero;
        if (filler) std::memcpy(&value, filler, sizeof value);
        gather_as(axes, static_cast<const T*>(data), static_cast<T*>(result), value, threads);
    };
    switch (element_bytes) {
        case 1: gather(uint8_t()); break;
        case 2: gather(uint16_t()); break;
        case 4: gather(uint32_t()); break;
        default: gather(uint64_t()); break;
    }
}

}  // namespace partita
