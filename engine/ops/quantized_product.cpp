#include "engine/ops/quantized_product.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// Integers with a scale and a zero point of their own in the packed form; a larger block has several alike.
constexpr int64_t kPart = 32;
constexpr int64_t kInWord = 8, kMostRows = 4;

/// The numbers in a vector of the machine, and in a group: a vector of words of eight integers each.
int64_t lanes() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return 16;
        case VectorUnit::Avx2: return 8;
        case VectorUnit::Baseline: break;
    }
    return 4;
}
int64_t size_of_group() { return kInWord * lanes(); }

/// A column of the weights, and rows that it is multiplied by.
struct QuantizedColumn {
    const uint32_t* words;
    const float* scales;
    const uint8_t* zeros;
    int64_t groups;
    const float* first;  ///< rows one after the other, each `stride` elements
    int64_t stride;
    float* sums;  ///< one for each row
};

// A macro for the reason that tile_kernels.cpp gives. Integer n of word w stands for element n * lanes + w of its
// group: a shift of all words gives a vector of neighbours.
#define PARTITA_COLUMN_BODY(BYTES)                                                                          \
    constexpr int64_t lanes = BYTES / int64_t(sizeof(float));                                               \
    typedef float Floats __attribute__((vector_size(BYTES)));                                               \
    typedef int32_t Words __attribute__((vector_size(BYTES)));                                              \
    struct __attribute__((packed, may_alias)) Place {                                                       \
        Floats values;                                                                                      \
    };                                                                                                      \
    struct __attribute__((packed, may_alias)) WordsPlace {                                                  \
        Words values;                                                                                       \
    };                                                                                                      \
    Floats total[rows];                                                                                     \
    _Pragma("GCC unroll 4") for (int r = 0; r < rows; ++r) total[r] = Floats{};                             \
    const float* first = column.first;                                                                      \
    for (int64_t group = 0; group < column.groups; ++group) {                                               \
        const Words words = reinterpret_cast<const WordsPlace*>(column.words + group * lanes)->values;      \
        Floats sum[rows];                                                                                   \
        _Pragma("GCC unroll 8") for (int64_t n = 0; n < kInWord; ++n) {                                     \
            if (n * lanes % kPart == 0) {                                                                   \
                _Pragma("GCC unroll 4") for (int r = 0; r < rows; ++r) sum[r] = Floats{};                   \
            }                                                                                               \
            const Floats values = __builtin_convertvector((words >> (4 * n) & 15) - *column.zeros, Floats); \
            _Pragma("GCC unroll 4") for (int r = 0; r < rows; ++r) sum[r] +=                                \
                values * reinterpret_cast<const Place*>(first + r * column.stride)->values;                 \
            first += lanes;                                                                                 \
            if ((n + 1) * lanes % kPart == 0) {                                                             \
                _Pragma("GCC unroll 4") for (int r = 0; r < rows; ++r) total[r] += *column.scales * sum[r]; \
                ++column.scales;                                                                            \
                ++column.zeros;                                                                             \
            }                                                                                               \
        }                                                                                                   \
    }                                                                                                       \
    for (int r = 0; r < rows; ++r) {                                                                        \
        float sum = 0;                                                                                      \
        for (int64_t lane = 0; lane < lanes; ++lane) sum += total[r][lane];                                 \
        column.sums[r] = sum;                                                                               \
    }

template <int rows>
PARTITA_TARGET_AVX512 void column_avx512(QuantizedColumn column) {
    PARTITA_COLUMN_BODY(64)  // NOLINT(clang-analyzer-core.uninitialized.Assign): a part begins with zeros
}

template <int rows>
PARTITA_TARGET_AVX2 void column_avx2(QuantizedColumn column) {
    PARTITA_COLUMN_BODY(32)  // NOLINT(clang-analyzer-core.uninitialized.Assign): a part begins with zeros
}

template <int rows>
void column_baseline(QuantizedColumn column) {
    PARTITA_COLUMN_BODY(16)  // NOLINT(clang-analyzer-core.uninitialized.Assign): a part begins with zeros
}

#undef PARTITA_COLUMN_BODY

/// The kernels for one to four rows.
using ColumnKernels = std::array<void (*)(QuantizedColumn), kMostRows>;

const ColumnKernels& column_kernels() {
    static const ColumnKernels avx512{column_avx512<1>, column_avx512<2>, column_avx512<3>, column_avx512<4>};
    static const ColumnKernels avx2{column_avx2<1>, column_avx2<2>, column_avx2<3>, column_avx2<4>};
    static const ColumnKernels baseline{column_baseline<1>, column_baseline<2>, column_baseline<3>, column_baseline<4>};
    switch (vector_unit()) {
        case VectorUnit::Avx512: return avx512;
        case VectorUnit::Avx2: return avx2;
        case VectorUnit::Baseline: break;
    }
    return baseline;
}

uint8_t half_of(const uint8_t* bytes, int64_t index) {
    return index % 2 ? bytes[index / 2] >> 4 : bytes[index / 2] & 15;
}

}  // namespace

QuantizedWeights::QuantizedWeights(const QuantizedMatrix& matrix)
    : columns_(matrix.rows), depth_(matrix.depth), groups_((depth_ + size_of_group() - 1) / size_of_group()),
      words_(size_t(columns_ * groups_ * lanes())) {
    const int64_t parts = groups_ * size_of_group() / kPart, blocks = matrix.blocks();
    scales_.resize(size_t(columns_ * parts));
    zeros_.assign(size_t(columns_ * parts), 8);
    const std::shared_ptr<const void> integers = matrix.integers.lent_bytes(), scales = matrix.scales.lent_bytes(),
                                      zeros = matrix.zeros.lent_bytes();
    for (int64_t column = 0; column < columns_; ++column) {
        pack_column(column, static_cast<const uint8_t*>(integers.get()) + column * blocks * matrix.bytes_of_block());
        for (int64_t part = 0; part < parts; ++part) {
            const int64_t block = part * kPart / matrix.block;
            if (block >= blocks) break;  // what lies behind the depth is multiplied by zeros
            const size_t place = size_t(column * parts + part);
            scales_[place] = static_cast<const float*>(scales.get())[column * blocks + block];
            if (zeros)
                zeros_[place] =
                    half_of(static_cast<const uint8_t*>(zeros.get()) + column * matrix.bytes_of_zeros(), block);
        }
    }
}

/// The blocks of a row lie one after the other, whole ones: an integer's place is its number.
void QuantizedWeights::pack_column(int64_t column, const uint8_t* integers) {
    const int64_t width = lanes();
    uint32_t* words = words_.data() + column * groups_ * width;
    for (int64_t k = 0; k < depth_; ++k) {
        const int64_t group = k / size_of_group(), inside = k % size_of_group();
        words[group * width + inside % width] |= uint32_t(half_of(integers, k)) << (4 * (inside / width));
    }
}

void QuantizedWeights::multiply(int64_t rows, const float* first, const ProductResult& result,
                                const ParallelLoop& parallel) const {
    const int64_t stride = groups_ * size_of_group(), parts = stride / kPart;
    std::vector<float> filled;
    if (stride != depth_) {
        filled.resize(size_t(rows * stride));
        for (int64_t row = 0; row < rows; ++row)
            std::copy_n(first + row * depth_, depth_, filled.begin() + row * stride);
        first = filled.data();
    }
    const ColumnKernels& kernels = column_kernels();
    const auto compute = [&](int64_t column, int64_t row) {
        float sums[kMostRows];
        const int64_t count = std::min(kMostRows, rows - row);
        kernels[size_t(count - 1)]({words_.data() + column * groups_ * lanes(), scales_.data() + column * parts,
                                    zeros_.data() + column * parts, groups_, first + row * stride, stride, sums});
        for (int64_t r = 0; r < count; ++r) result.values[(row + r) * columns_ + column] = sums[r];
    };
    parallel(columns_, [&](int64_t begin, int64_t end) {
        for (int64_t column = begin; column < end; ++column)
            for (int64_t row = 0; row < rows; row += kMostRows) compute(column, row);
        finish_product(result, 0, rows, begin, end - begin);
    });
}

}  // namespace partita
