#include "engine/ops/gemm.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/ops/tile_kernels.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// Rows of a panel that are multiplied at a time: 256 rows of two AVX-512 registers are 32 KiB.
constexpr int64_t kDepthBlock = 256;

/// Multiplies one panel of columns by a range of rows.
template <class T>
void multiply_panel(const GemmBatch<T>& batch, const GemmGather<T>& gather, const TileKernels<T>& kernels, int64_t item,
                    int64_t column, int64_t row_begin, int64_t row_end, T* panel) {
    int64_t count = std::min(kernels.width, batch.columns - column);
    const T* first = batch.first + item % batch.first_items * batch.first_item_stride;
    T* result = batch.result + item * batch.result_item_stride + column;
    for (int64_t begin = 0; begin < batch.depth; begin += kDepthBlock) {
        int64_t end = std::min(begin + kDepthBlock, batch.depth);
        gather({item, begin, end, column, count, kernels.width, panel});
        multiply_rows(kernels,
                      {first + row_begin * batch.first_stride + begin, batch.first_stride, panel, end - begin,
                       result + row_begin * batch.result_stride, batch.result_stride, count, begin != 0},
                      row_end - row_begin);
    }
}

}  // namespace

template <class T>
void gemm(const GemmBatch<T>& batch, const GemmGather<T>& gather, ThreadPool& threads) {
    if (batch.items == 0 || batch.rows == 0 || batch.columns == 0) return;
    if (batch.depth == 0) {
        for (int64_t item = 0; item < batch.items; ++item)
            for (int64_t row = 0; row < batch.rows; ++row)
                std::fill_n(batch.result + item * batch.result_item_stride + row * batch.result_stride, batch.columns,
                            T(0));
        return;
    }
    const TileKernels<T>& kernels = tile_kernels<T>(batch.columns);
    int64_t panels = (batch.columns + kernels.width - 1) / kernels.width;
    // If there are few panels, the rows are divided too; each part gathers its panel again.
    constexpr int64_t kRowsWorthAGather = 48;
    int64_t row_parts = std::clamp<int64_t>(batch.rows / kRowsWorthAGather, 1,
                                            std::max<int64_t>(1, 4 * threads.threads() / (panels * batch.items)));
    if (threads.threads() == 1) row_parts = 1;
    int64_t rows_each = (batch.rows + row_parts - 1) / row_parts;
    rows_each = (rows_each + kernels.entries[0].rows - 1) / kernels.entries[0].rows * kernels.entries[0].rows;
    row_parts = (batch.rows + rows_each - 1) / rows_each;
    double work = double(rows_each) * double(kernels.width) * double(batch.depth);
    int64_t grain = std::max<int64_t>(1, int64_t(100000.0 / work));
    threads.parallel_for(batch.items * panels * row_parts, grain, [&](int64_t begin, int64_t end) {
        auto panel = aligned_array<T>(std::min(kDepthBlock, batch.depth) * kernels.width);
        for (int64_t task = begin; task < end; ++task) {
            int64_t part = task % row_parts;
            int64_t column = task / row_parts % panels * kernels.width;
            int64_t item = task / row_parts / panels;
            multiply_panel(batch, gather, kernels, item, column, part * rows_each,
                           std::min((part + 1) * rows_each, batch.rows), panel.get());
        }
    });
}

namespace {

/// Columns are contiguous in the source: copies rows of the panel.
template <class T>
void copy_panel_rows(const GemmPanel<T>& piece, const T* source, int64_t row_stride) {
    T* to = piece.panel;
    for (int64_t k = piece.depth_begin; k < piece.depth_end; ++k, to += piece.width) {
        std::memcpy(to, source + k * row_stride + piece.column, size_t(piece.count) * sizeof(T));
        std::fill(to + piece.count, to + piece.width, T(0));
    }
}

/// Rows are contiguous in the source: transposes it into the panel, in square blocks.
template <class T>
void transpose_panel(const GemmPanel<T>& piece, const T* source, int64_t column_stride) {
    constexpr int64_t kBlock = 16;
    int64_t depth = piece.depth_end - piece.depth_begin;
    for (int64_t k = 0; k < depth; k += kBlock) {
        int64_t k_end = std::min(k + kBlock, depth);
        for (int64_t j = 0; j < piece.count; ++j) {
            const T* from = source + (piece.column + j) * column_stride + piece.depth_begin;
            for (int64_t i = k; i < k_end; ++i) piece.panel[i * piece.width + j] = from[i];
        }
    }
    if (piece.count < piece.width)
        for (int64_t k = 0; k < depth; ++k)
            std::fill(piece.panel + k * piece.width + piece.count, piece.panel + (k + 1) * piece.width, T(0));
}

}  // namespace

template <class T>
GemmGather<T> gather_from_matrix(const T* data, int64_t row_stride, int64_t column_stride, int64_t items,
                                 int64_t item_stride) {
    return [=](const GemmPanel<T>& piece) {
        const T* source = data + piece.item % items * item_stride;
        if (column_stride == 1) copy_panel_rows(piece, source, row_stride);
        else transpose_panel(piece, source, column_stride);
    };
}

namespace {

#define PARTITA_DOT_BODY(BYTES)                                                               \
    constexpr int64_t lanes = BYTES / int64_t(sizeof(T));                                     \
    typedef T Vector __attribute__((vector_size(BYTES)));                                     \
    struct __attribute__((packed, may_alias)) Place {                                         \
        Vector values;                                                                        \
    };                                                                                        \
    Vector sum[4] = {};                                                                       \
    int64_t k = 0;                                                                            \
    for (; k + lanes <= depth; k += lanes) {                                                  \
        const Vector x = reinterpret_cast<const Place*>(a + k)->values;                       \
        _Pragma("GCC unroll 4") for (int j = 0; j < 4; ++j) sum[j] +=                         \
            x * reinterpret_cast<const Place*>(b + j * stride + k)->values;                   \
    }                                                                                         \
    for (int j = 0; j < 4; ++j) {                                                             \
        T total = T(0);                                                                       \
        for (int64_t lane = 0; lane < lanes; ++lane) total += sum[j][lane];                   \
        for (int64_t rest = k; rest < depth; ++rest) total += a[rest] * b[j * stride + rest]; \
        result[j] = total;                                                                    \
    }

/// Computes the products of a row with four rows at a distance of `stride`.
template <class T>
PARTITA_TARGET_AVX512 void dot_avx512(const T* a, const T* b, int64_t stride, int64_t depth, T* result) {
    PARTITA_DOT_BODY(64)
}

template <class T>
PARTITA_TARGET_AVX2 void dot_avx2(const T* a, const T* b, int64_t stride, int64_t depth, T* result) {
    PARTITA_DOT_BODY(32)
}

template <class T>
void dot_baseline(const T* a, const T* b, int64_t stride, int64_t depth, T* result) {
    PARTITA_DOT_BODY(16)
}

#undef PARTITA_DOT_BODY

template <class T>
auto dot_kernel() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return dot_avx512<T>;
        case VectorUnit::Avx2: return dot_avx2<T>;
        case VectorUnit::Baseline: break;
    }
    return dot_baseline<T>;
}

/// The same for few rows: reads each operand in place.
template <class T>
void multiply_few_rows(const T* first, const T* second, int64_t rows, int64_t columns, int64_t depth, T* result,
                       ThreadPool& threads) {
    auto dot = dot_kernel<T>();
    int64_t groups = (columns + 3) / 4;
    int64_t grain = std::max<int64_t>(1, 100000 / std::max<int64_t>(1, rows * depth * 4));
    threads.parallel_for(groups, grain, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) {
            int64_t column = group * 4, count = std::min<int64_t>(4, columns - column);
            for (int64_t row = 0; row < rows; ++row) {
                const T* a = first + row * depth;
                T* out = result + row * columns + column;
                if (count == 4) {
                    dot(a, second + column * depth, depth, depth, out);
                    continue;
                }
                for (int64_t j = 0; j < count; ++j) {
                    T four[4];
                    dot(a, second + (column + j) * depth, 0, depth, four);
                    out[j] = four[0];
                }
            }
        }
    });
}

/// The same for many rows: packs panels of the second operand.
template <class T>
void multiply_packing(const T* first, const T* second, int64_t rows, int64_t columns, int64_t depth, T* result,
                      ThreadPool& threads) {
    GemmBatch<T> batch;
    batch.rows = rows;
    batch.columns = columns;
    batch.depth = depth;
    batch.first = first;
    batch.first_stride = depth;
    batch.result = result;
    batch.result_stride = columns;
    gemm(batch, gather_from_matrix(second, int64_t(1), depth, int64_t(1), int64_t(0)), threads);
}

/// Transposes in blocks that stay in the cache.
template <class T>
void transpose_into(const T* from, int64_t rows, int64_t columns, T* to, ThreadPool& threads) {
    constexpr int64_t kBlock = 16;
    threads.parallel_for(
        (columns + kBlock - 1) / kBlock, std::max<int64_t>(1, 4096 / rows), [=](int64_t begin, int64_t end) {
            for (int64_t column = begin * kBlock; column < std::min(end * kBlock, columns); column += kBlock)
                for (int64_t row = 0; row < rows; row += kBlock)
                    for (int64_t j = column; j < std::min(column + kBlock, columns); ++j)
                        for (int64_t i = row; i < std::min(row + kBlock, rows); ++i)
                            to[j * rows + i] = from[i * columns + j];
        });
}

/// The same as the transpose of second * transposed first: a large second operand is then read in place.
template <class T>
void multiply_swapped(const T* first, const T* second, int64_t rows, int64_t columns, int64_t depth, T* result,
                      ThreadPool& threads) {
    std::unique_ptr<T[]> by_columns(new T[size_t(rows * columns)]);
    multiply_packing(second, first, columns, rows, depth, by_columns.get(), threads);
    transpose_into(by_columns.get(), columns, rows, result, threads);
}

}  // namespace

template <class T>
void multiply_by_transposed(const T* first, const T* second, int64_t rows, int64_t columns, int64_t depth, T* result,
                            ThreadPool& threads) {
    constexpr int64_t kFewRows = 8;  // reading the second operand is then the only significant cost
    if (rows <= kFewRows) return multiply_few_rows(first, second, rows, columns, depth, result, threads);
    if (rows * (depth + columns) < columns * depth)
        return multiply_swapped(first, second, rows, columns, depth, result, threads);
    multiply_packing(first, second, rows, columns, depth, result, threads);
}

#define PARTITA_INSTANTIATE(T)                                                               \
    template void gemm(const GemmBatch<T>&, const GemmGather<T>&, ThreadPool&);              \
    template GemmGather<T> gather_from_matrix(const T*, int64_t, int64_t, int64_t, int64_t); \
    template void multiply_by_transposed(const T*, const T*, int64_t, int64_t, int64_t, T*, ThreadPool&);
PARTITA_INSTANTIATE(float)
PARTITA_INSTANTIATE(double)
PARTITA_INSTANTIATE(uint32_t)
PARTITA_INSTANTIATE(uint64_t)
#undef PARTITA_INSTANTIATE

}  // namespace partita
