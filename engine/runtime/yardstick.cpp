#include "engine/runtime/yardstick.h"

#include <cmath>

#include "engine/support/stopwatch.h"

namespace partita {

namespace {

constexpr int64_t kValues = 1 << 20;  // more than a cache of the second level
constexpr int kPasses = 8;

}  // namespace

double Yardstick::measure() {
    if (values_.empty()) values_.assign(size_t(kValues), 1.5f);
    Stopwatch watch;
    for (int pass = 0; pass < kPasses; ++pass)
        threads_.parallel_for(kValues, 1024, [this](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) values_[size_t(i)] = std::sqrt(values_[size_t(i)] * 0.5f + 1);
        });
    return watch.milliseconds();
}

}  // namespace partita
