#include "engine/ops/packed_product.h"

#include <algorithm>

#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

// 128 rows of 256 elements, 128 KiB, stay in the second-level cache while panels of weights, 16 KiB each with vectors
// of 32 bytes, pass through the first.
constexpr int64_t kProductRows = 128, kProductDepth = 256;

/// With fewer rows the memory is busy anyway, and to ask for the next panel takes longer than it saves.
constexpr int64_t kFewestRowsToFetchAhead = 24;

/// The depth is cut into equal blocks. Packed weights are block after block, in each panel after panel.
int64_t depth_of_block(int64_t depth) {
    const int64_t blocks = (depth + kProductDepth - 1) / kProductDepth;
    return (depth + blocks - 1) / blocks;
}

/// A part of the result that has its sums.
struct ProductPiece {
    const PackedProduct& product;
    int64_t row, rows, column, columns;
};

template <class Function>
PARTITA_INLINED void change_each(const ProductPiece& piece, const Function& change) {
    for (int64_t r = 0; r < piece.rows; ++r) {
        float* __restrict row = piece.product.result + (piece.row + r) * piece.product.columns + piece.column;
        for (int64_t j = 0; j < piece.columns; ++j) row[j] = change(row[j]);
    }
}

/// Adds a row of the operand to each row: the same one if the stride is 0.
PARTITA_INLINED void add_rows(const ProductPiece& piece, const float* operand, int64_t stride) {
    for (int64_t r = 0; r < piece.rows; ++r) {
        float* __restrict row = piece.product.result + (piece.row + r) * piece.product.columns + piece.column;
        const float* other = operand + (piece.row + r) * stride + piece.column;
        for (int64_t j = 0; j < piece.columns; ++j) row[j] += other[j];
    }
}

PARTITA_INLINED void finish_product(const ProductPiece& piece) {
    for (const ProductStep& step : piece.product.steps) {
        const float alpha = step.alpha, beta = step.beta;
        switch (step.kind) {
            case ProductStep::Kind::Bias: add_rows(piece, piece.product.operands[step.operand], 0); break;
            case ProductStep::Kind::Sum:
                add_rows(piece, piece.product.operands[step.operand], piece.product.columns);
                break;
            case ProductStep::Kind::Relu: change_each(piece, [alpha](float x) { return x < 0 ? x * alpha : x; }); break;
            case ProductStep::Kind::Linear:
                change_each(piece, [alpha, beta](float x) { return x * alpha + beta; });
                break;
            case ProductStep::Kind::Clip:
                change_each(piece, [alpha, beta](float x) { return x < alpha ? alpha : x > beta ? beta : x; });
                break;
            case ProductStep::Kind::Sigmoid: change_each(piece, [](float x) { return sigmoid_of(x); }); break;
            case ProductStep::Kind::Swish:
                change_each(piece, [alpha](float x) { return x * sigmoid_of(alpha * x); });
                break;
            case ProductStep::Kind::Gelu:
                change_each(piece, [](float x) { return 0.5F * x * (1 + error_function_of(x * 0.70710678F)); });
                break;
        }
    }
}

PARTITA_TARGET_AVX512 void finish_product_avx512(const ProductPiece& piece) { finish_product(piece); }
PARTITA_TARGET_AVX2 void finish_product_avx2(const ProductPiece& piece) { finish_product(piece); }
void finish_product_baseline(const ProductPiece& piece) { finish_product(piece); }

auto product_finisher() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return finish_product_avx512;
        case VectorUnit::Avx2: return finish_product_avx2;
        case VectorUnit::Baseline: break;
    }
    return finish_product_baseline;
}

/// Computes panels [begin, end) of a block of rows.
void multiply_panels(const PackedProduct& product, int64_t row, int64_t rows, int64_t begin, int64_t end) {
    static const auto finish = product_finisher();
    const TileKernels<float>& kernels = tile_kernels<float>();
    const int64_t block = depth_of_block(product.depth), panels = (product.columns + kernels.width - 1) / kernels.width;
    const bool ahead = rows >= kFewestRowsToFetchAhead;
    for (int64_t k = 0; k < product.depth; k += block) {
        const int64_t depth = std::min(block, product.depth - k);
        for (int64_t panel = begin; panel < end; ++panel) {
            const int64_t column = panel * kernels.width, columns = std::min(kernels.width, product.columns - column);
            const float* weights = product.packed + (k * panels + panel * depth) * kernels.width;
            multiply_rows(kernels,
                          {product.first + row * product.depth + k, product.depth, weights, depth,
                           product.result + row * product.columns + column, product.columns, columns, k > 0},
                          rows, ahead && panel + 1 < end ? weights + depth * kernels.width : nullptr);
            if (k + depth == product.depth) finish({product, row, rows, column, columns});
        }
    }
}

}  // namespace

int64_t packed_weight_elements(int64_t depth, int64_t columns) {
    const int64_t width = tile_kernels<float>().width;
    return (columns + width - 1) / width * width * depth;
}

void pack_weights(const float* weights, int64_t row_stride, int64_t column_stride, int64_t depth, int64_t columns,
                  const float* scale, float* packed) {
    const int64_t width = tile_kernels<float>().width, block = depth_of_block(depth);
    for (int64_t k = 0; k < depth; k += block)
        for (int64_t column = 0; column < columns; column += width) {
            const int64_t rows = std::min(block, depth - k), count = std::min(width, columns - column);
            pack_panel(weights + k * row_stride + column * column_stride, row_stride, column_stride, rows, count, width,
                       packed);
            for (int64_t r = 0; scale && r < rows; ++r)
                for (int64_t j = 0; j < count; ++j) packed[r * width + j] *= scale[column + j];
            packed += rows * width;
        }
}

void multiply_packed(const PackedProduct& product, const ParallelLoop& parallel) {
    const int64_t width = tile_kernels<float>().width, panels = (product.columns + width - 1) / width;
    parallel(panels, [&](int64_t begin, int64_t end) {
        for (int64_t row = 0; row < product.rows; row += kProductRows)
            multiply_panels(product, row, std::min(kProductRows, product.rows - row), begin, end);
    });
}

}  // namespace partita
