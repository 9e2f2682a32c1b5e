#include "engine/ops/packed_product.h"

#include <algorithm>

#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// Rows that go through all panels before the next ones do.
constexpr int64_t kProductRows = 128;

/// The depth of a block. A block of rows stays in the second-level cache, of 1 MiB and more where there is AVX-512,
/// while panels of weights pass through; on older processors, 128 KiB do, and a panel of 16 KiB fits into the first
/// level.
int64_t most_depth() { return vector_unit() == VectorUnit::Avx512 ? 1024 : 256; }

/// With fewer rows the memory is busy anyway, and to ask for the next panel takes longer than it saves.
constexpr int64_t kFewestRowsToFetchAhead = 8;

/// The depth is cut into equal blocks. Packed weights are block after block, in each panel after panel.
int64_t depth_of_block(int64_t depth) {
    const int64_t blocks = (depth + most_depth() - 1) / most_depth();
    return (depth + blocks - 1) / blocks;
}

/// Does the steps to columns of rows that have their sums.
void finish_panel(const PackedProduct& product, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    ProductResult result = product.result;
    if (product.block_stride == 0) return finish_product(result, row, rows, column, columns);
    result.columns = product_block();
    for (int64_t end = column + columns; column < end; column += result.columns) {
        // Where row 0 would have its column 0, if the block had those before it.
        result.values = product.result.values + column / result.columns * product.block_stride - column;
        finish_product(result, row, rows, column, result.columns);
    }
}

/// Computes panels [begin, end) of a block of rows.
void multiply_panels(const PackedProduct& product, int64_t row, int64_t rows, int64_t begin, int64_t end) {
    const TileKernels<float>& kernels = tile_kernels<float>();
    const ProductResult& result = product.result;
    const int64_t block = depth_of_block(product.depth), panels = (result.columns + kernels.width - 1) / kernels.width;
    const bool in_blocks = product.block_stride != 0;
    const int64_t row_stride = in_blocks ? product_block() : result.columns;
    const int64_t column_stride = in_blocks ? product.block_stride / product_block() : 1;  // of a block's first columns
    for (int64_t k = 0; k < product.depth; k += block) {
        const int64_t depth = std::min(block, product.depth - k);
        const float* weights = product.packed + (k * panels + begin * depth) * kernels.width;
        for (int64_t panel = begin; panel < end; ++panel, weights += depth * kernels.width) {
            const int64_t column = panel * kernels.width, columns = std::min(kernels.width, result.columns - column);
            Tile<float> tile{product.first + row * product.depth + k,
                             product.depth,
                             weights,
                             depth,
                             result.values + row * row_stride + column * column_stride,
                             row_stride,
                             columns,
                             k > 0 || product.add};
            tile.vector_stride = product.block_stride;
            multiply_rows(kernels, tile, rows,
                          rows >= kFewestRowsToFetchAhead ? weights + depth * kernels.width : nullptr);
            if (k + depth == product.depth) finish_panel(product, row, rows, column, columns);
        }
    }
}

}  // namespace

int64_t product_block() { return tile_kernels<float>().width / 2; }

int64_t packed_weight_elements(int64_t depth, int64_t columns) {
    const int64_t width = tile_kernels<float>().width;
    return (columns + width - 1) / width * width * depth;
}

void pack_weights(const float* weights, int64_t row_stride, int64_t column_stride, int64_t depth, int64_t columns,
                  const float* scale, float* packed, const ParallelLoop& parallel) {
    const int64_t width = tile_kernels<float>().width, block = depth_of_block(depth);
    const int64_t panels = (columns + width - 1) / width, blocks = (depth + block - 1) / block;
    parallel(panels * blocks, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t k = task / panels * block, panel = task % panels, column = panel * width;
            const int64_t rows = std::min(block, depth - k), count = std::min(width, columns - column);
            float* to = packed + (k * panels + panel * rows) * width;
            pack_panel(weights + k * row_stride + column * column_stride, row_stride, column_stride, rows, count, width,
                       to);
            for (int64_t r = 0; scale && r < rows; ++r)
                for (int64_t j = 0; j < count; ++j) to[r * width + j] *= scale[column + j];
        }
    });
}

void multiply_packed(const PackedProduct& product, const ParallelLoop& parallel) {
    const int64_t width = tile_kernels<float>().width, panels = (product.result.columns + width - 1) / width;
    parallel(panels, [&](int64_t begin, int64_t end) {
        for (int64_t row = 0; row < product.rows; row += kProductRows)
            multiply_panels(product, row, std::min(kProductRows, product.rows - row), begin, end);
    });
}

}  // namespace partita
