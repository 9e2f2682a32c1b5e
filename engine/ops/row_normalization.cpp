#include "engine/ops/row_normalization.h"

#include <cmath>

#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

constexpr int64_t kSums = 16;  ///< sums side by side, so that none waits for the one before

/// The sum of term(x) over a row.
template <class Term>
PARTITA_INLINED float sum_of(const float* __restrict row, int64_t columns, Term term) {
    float sums[kSums] = {};
    const int64_t whole = columns / kSums * kSums;
    for (int64_t j = 0; j < whole; j += kSums)
        for (int64_t lane = 0; lane < kSums; ++lane) sums[lane] += term(row[j + lane]);
    for (int64_t j = whole; j < columns; ++j) sums[j - whole] += term(row[j]);
    for (int64_t half = kSums / 2; half > 0; half /= 2)
        for (int64_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    return sums[0];
}

template <bool scaled, bool shifted>
PARTITA_INLINED void write_row(const RowNormalization& given, const float* __restrict row, float mean, float factor,
                               float* __restrict out) {
    const float* __restrict scale = given.scale;
    const float* __restrict shift = given.shift;
    for (int64_t j = 0; j < given.columns; ++j) {
        float value = (row[j] - mean) * factor;
        if constexpr (scaled) value *= scale[j];
        if constexpr (shifted) value += shift[j];
        out[j] = value;
    }
}

PARTITA_INLINED void normalize(const RowNormalization& given, const float* data, float* result, int64_t begin,
                               int64_t end) {
    const auto columns = float(given.columns);
    for (int64_t r = begin; r < end; ++r) {
        const float* row = data + r * given.columns;
        float* out = result + r * given.columns;
        const float mean = given.centered ? sum_of(row, given.columns, [](float x) { return x; }) / columns : 0.0F;
        const auto squared = [mean](float x) { return (x - mean) * (x - mean); };
        const float factor = 1 / std::sqrt(sum_of(row, given.columns, squared) / columns + given.epsilon);
        if (given.scale && given.shift) write_row<true, true>(given, row, mean, factor, out);
        else if (given.scale) write_row<true, false>(given, row, mean, factor, out);
        else if (given.shift) write_row<false, true>(given, row, mean, factor, out);
        else write_row<false, false>(given, row, mean, factor, out);
    }
}

using RowKernel = void (*)(const RowNormalization&, const float*, float*, int64_t, int64_t);

PARTITA_TARGET_AVX512 void normalize_avx512(const RowNormalization& given, const float* data, float* result,
                                            int64_t begin, int64_t end) {
    normalize(given, data, result, begin, end);
}
PARTITA_TARGET_AVX2 void normalize_avx2(const RowNormalization& given, const float* data, float* result, int64_t begin,
                                        int64_t end) {
    normalize(given, data, result, begin, end);
}
void normalize_baseline(const RowNormalization& given, const float* data, float* result, int64_t begin, int64_t end) {
    normalize(given, data, result, begin, end);
}

RowKernel row_kernel_of_machine() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return normalize_avx512;
        case VectorUnit::Avx2: return normalize_avx2;
        case VectorUnit::Baseline: break;
    }
    return normalize_baseline;
}

}  // namespace

void normalize_rows(const RowNormalization& normalization, const float* data, float* result, int64_t begin,
                    int64_t end) {
    static const RowKernel kernel = row_kernel_of_machine();
    kernel(normalization, data, result, begin, end);
}

}  // namespace partita
