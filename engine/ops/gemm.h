// Matrix products for the kernels of nn.dense, nn.conv2d and similar ops.
//
// The columns of the product are cut into panels as wide as two or so vector registers. The caller gathers a panel of
// the second operand (from a matrix, or from an image without building its im2col matrix). It is packed to stay in the
// first-level cache, and multiplied by all rows of the first operand, which is read in place. This is the scheme of
// Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008), without packing the first operand.
// The inner kernel is compiled for AVX-512, AVX2 and the baseline, and chosen once at run time.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/support/thread_pool.h"

namespace partita {

/// Several products of equal extents: result[i] = first[i % first_items] * second[i]. Integers wrap: use unsigned
/// types.
template <class T>
struct GemmBatch {
    int64_t items = 1;
    int64_t rows = 0, columns = 0, depth = 0;
    const T* first = nullptr;  ///< row-major: element (row, k) is at row * first_stride + k
    int64_t first_stride = 0;
    int64_t first_items = 1;
    int64_t first_item_stride = 0;
    T* result = nullptr;  ///< row-major
    int64_t result_stride = 0;
    int64_t result_item_stride = 0;
};

/// The piece of the second operand to gather: rows [depth_begin, depth_end), columns [column, column + count). Element
/// (k, j) goes to panel[(k - depth_begin) * width + j - column]; the rest of each row of `width` must be filled with
/// zeros.
template <class T>
struct GemmPanel {
    int64_t item;
    int64_t depth_begin, depth_end;
    int64_t column, count;
    int64_t width;
    T* panel;
};

template <class T>
using GemmGather = std::function<void(const GemmPanel<T>& piece)>;

/// T is float, double, uint32_t or uint64_t.
template <class T>
void gemm(const GemmBatch<T>& batch, const GemmGather<T>& gather, ThreadPool& threads);

/// Gathers from matrices in memory: element (k, j) of item i is at data + (i % items) * item_stride + k * row_stride +
/// j * column_stride; one of the strides must be 1.
template <class T>
GemmGather<T> gather_from_matrix(const T* data, int64_t row_stride, int64_t column_stride, int64_t items,
                                 int64_t item_stride);

/// result[row][column] = sum over k of first[row][k] * second[column][k]; both operands and the result are dense. A
/// second operand that would be dearer to pack than to multiply by is read in place.
template <class T>
void multiply_by_transposed(const T* first, const T* second, int64_t rows, int64_t columns, int64_t depth, T* result,
                            ThreadPool& threads);

}  // namespace partita
