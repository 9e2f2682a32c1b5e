#include "engine/ops/tile_kernels.h"

#include <algorithm>
#include <cstring>

#include "engine/ops/vector_units.h"

namespace partita {

namespace {

// The body is a macro because GCC lowers vectors to the registers of the enclosing function before it inlines: each
// target needs a body of its own. An unaligned vector is a packed structure: Clang forgets the alignment of a typedef
// that depends on a template's argument.
#define PARTITA_TILE_BODY(BYTES)                                                                         \
    constexpr int64_t lanes = BYTES / int64_t(sizeof(T));                                                \
    typedef T Vector __attribute__((vector_size(BYTES)));                                                \
    struct __attribute__((packed, may_alias)) Place {                                                    \
        Vector values;                                                                                   \
    };                                                                                                   \
    Vector sum[rows][vectors];                                                                           \
    _Pragma("GCC unroll 32") for (int r = 0; r < rows; ++r) {                                            \
        __builtin_prefetch(tile.result + r * tile.result_stride, 1);                                     \
        __builtin_prefetch(tile.result + r * tile.result_stride + vectors * lanes - 1, 1);               \
        _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) sum[r][v] = Vector{};                  \
    }                                                                                                    \
    const T* first = tile.first;                                                                         \
    const T* panel = tile.panel;                                                                         \
    const T* next = tile.next;                                                                           \
    const int64_t stride = tile.first_stride;                                                            \
    const int64_t vector_stride = tile.vector_stride ? tile.vector_stride : lanes;                       \
    for (int64_t k = 0; k < tile.depth; ++k, next += tile.next_step) {                                   \
        __builtin_prefetch(next, 0, 2);                                                                  \
        Vector columns[vectors];                                                                         \
        _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) columns[v] =                           \
            *reinterpret_cast<const Vector*>(panel + v * lanes);                                         \
        _Pragma("GCC unroll 32") for (int r = 0; r < rows; ++r) {                                        \
            const T factor = first[r * stride];                                                          \
            _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) sum[r][v] += factor * columns[v];  \
        }                                                                                                \
        panel += vectors * lanes;                                                                        \
        ++first;                                                                                         \
    }                                                                                                    \
    if (tile.columns == vectors * lanes) {                                                               \
        _Pragma("GCC unroll 32") for (int r = 0; r < rows; ++r) {                                        \
            T* out = tile.result + r * tile.result_stride;                                               \
            _Pragma("GCC unroll 2") for (int v = 0; v < vectors; ++v) {                                  \
                Place& place = *reinterpret_cast<Place*>(out + v * vector_stride);                       \
                place.values = tile.add ? place.values + sum[r][v] : sum[r][v];                          \
            }                                                                                            \
        }                                                                                                \
        return;                                                                                          \
    }                                                                                                    \
    alignas(BYTES) T edge[rows][vectors * lanes];                                                        \
    std::memcpy(edge, sum, sizeof edge);                                                                 \
    for (int r = 0; r < rows; ++r) {                                                                     \
        T* out = tile.result + r * tile.result_stride;                                                   \
        for (int64_t j = 0; j < tile.columns; ++j) out[j] = tile.add ? out[j] + edge[r][j] : edge[r][j]; \
    }

template <class T, int rows, int vectors>
PARTITA_TARGET_AVX512 void tile_avx512(const Tile<T>& tile) {
    PARTITA_TILE_BODY(64)
}

template <class T, int rows, int vectors>
PARTITA_TARGET_AVX2 void tile_avx2(const Tile<T>& tile) {
    PARTITA_TILE_BODY(32)
}

template <class T, int rows, int vectors>
void tile_baseline(const Tile<T>& tile) {
    PARTITA_TILE_BODY(16)
}

#undef PARTITA_TILE_BODY

// As many rows as leave registers for the vectors of the panel and a factor.

template <class T>
constexpr TileKernels<T> kWide[] = {{32 / sizeof(T),
                                     {{4, tile_baseline<T, 4, 2>},
                                      {2, tile_baseline<T, 2, 2>},
                                      {1, tile_baseline<T, 1, 2>},
                                      {1, tile_baseline<T, 1, 2>},
                                      {1, tile_baseline<T, 1, 2>}}},
                                    {64 / sizeof(T),
                                     {{6, tile_avx2<T, 6, 2>},
                                      {4, tile_avx2<T, 4, 2>},
                                      {2, tile_avx2<T, 2, 2>},
                                      {1, tile_avx2<T, 1, 2>},
                                      {1, tile_avx2<T, 1, 2>}}},
                                    {128 / sizeof(T),
                                     {{12, tile_avx512<T, 12, 2>},
                                      {8, tile_avx512<T, 8, 2>},
                                      {4, tile_avx512<T, 4, 2>},
                                      {2, tile_avx512<T, 2, 2>},
                                      {1, tile_avx512<T, 1, 2>}},
                                     {13, tile_avx512<T, 13, 2>}}};

template <class T>
constexpr TileKernels<T> kNarrow[] = {{16 / sizeof(T),
                                       {{8, tile_baseline<T, 8, 1>},
                                        {4, tile_baseline<T, 4, 1>},
                                        {2, tile_baseline<T, 2, 1>},
                                        {1, tile_baseline<T, 1, 1>},
                                        {1, tile_baseline<T, 1, 1>}}},
                                      {32 / sizeof(T),
                                       {{12, tile_avx2<T, 12, 1>},
                                        {6, tile_avx2<T, 6, 1>},
                                        {4, tile_avx2<T, 4, 1>},
                                        {2, tile_avx2<T, 2, 1>},
                                        {1, tile_avx2<T, 1, 1>}}},
                                      {64 / sizeof(T),
                                       {{24, tile_avx512<T, 24, 1>},
                                        {12, tile_avx512<T, 12, 1>},
                                        {6, tile_avx512<T, 6, 1>},
                                        {2, tile_avx512<T, 2, 1>},
                                        {1, tile_avx512<T, 1, 1>}}}};

}  // namespace

template <class T>
const TileKernels<T>& tile_kernels(int64_t columns) {
    const size_t unit = vector_unit() == VectorUnit::Avx512 ? 2 : vector_unit() == VectorUnit::Avx2 ? 1 : 0;
    const TileKernels<T>&narrow = kNarrow<T>[unit], &wide = kWide<T>[unit];
    return columns <= narrow.width ? narrow : wide;
}

void pack_panel(const float* from, int64_t row_stride, int64_t column_stride, int64_t rows, int64_t columns,
                int64_t width, float* panel) {
    constexpr int64_t kPiece = 8;
    if (columns < width) std::fill_n(panel, rows * width, 0.0F);
    else if (column_stride == 1 && width % kPiece == 0) {
        // Copies of a size that is known to the compiler are a few instructions.
        for (int64_t r = 0; r < rows; ++r, from += row_stride, panel += width)
            for (int64_t j = 0; j < width; j += kPiece) std::memcpy(panel + j, from + j, kPiece * sizeof(float));
        return;
    }
    if (column_stride == 1) {
        for (int64_t r = 0; r < rows; ++r)
            std::memcpy(panel + r * width, from + r * row_stride, size_t(columns) * sizeof(float));
        return;
    }
    constexpr int64_t kBlock = 16;
    for (int64_t begin = 0; begin < rows; begin += kBlock)
        for (int64_t c = 0; c < columns; ++c)
            for (int64_t r = begin; r < std::min(begin + kBlock, rows); ++r)
                panel[r * width + c] = from[r * row_stride + c * column_stride];
}

template const TileKernels<float>& tile_kernels(int64_t);
template const TileKernels<double>& tile_kernels(int64_t);
template const TileKernels<uint32_t>& tile_kernels(int64_t);
template const TileKernels<uint64_t>& tile_kernels(int64_t);

}  // namespace partita
