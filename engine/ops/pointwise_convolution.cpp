#include "engine/ops/pointwise_convolution.h"

#include <algorithm>

namespace partita {

namespace {

/// A panel of so many rows stays in the first-level cache.
constexpr int64_t kPanelDepth = 256;

/// So many panels are finished together: rows of one are too short for the loops that do so. Each step goes over few
/// rows, which stay in the first-level cache until the next step.
constexpr int64_t kPanelsFinishedAtOnce = 8, kRowsFinishedAtOnce = 8;

/// Packs rows [k, k + rows) of a part of the planes. After the last one comes a row of ones, which the bias is
/// multiplied by.
void pack_planes(const PointwiseConvolution& convolution, const float* planes, int64_t k, int64_t rows, int64_t columns,
                 int64_t width, float* panel) {
    const int64_t copied = std::min(rows, convolution.given - k);
    pack_panel(planes + k * convolution.plane, convolution.plane, 1, copied, columns, width, panel);
    if (copied < rows) std::fill_n(panel + copied * width, width, 1.0F);
}

}  // namespace

void convolve_pointwise(const PointwiseConvolution& convolution, const float* data, const float* weights,
                        const ProductResult& result, const ParallelLoop& parallel) {
    const TileKernels<float>& kernels = tile_kernels<float>();
    const int64_t depth = convolution.weight_row(), blocks = (depth + kPanelDepth - 1) / kPanelDepth;
    const int64_t block = (depth + blocks - 1) / blocks, made = convolution.made;
    const int64_t panels = (convolution.plane + kernels.width - 1) / kernels.width;
    const auto multiply = [&](int64_t item, int64_t column, float* panel) {
        const int64_t columns = std::min(kernels.width, convolution.plane - column);
        const float* planes = data + item * convolution.given * convolution.plane + column;
        for (int64_t k = 0; k < depth; k += block) {
            const int64_t rows = std::min(block, depth - k);
            pack_planes(convolution, planes, k, rows, columns, kernels.width, panel);
            multiply_rows(kernels,
                          {weights + item % convolution.groups * made * depth + k, depth, panel, rows,
                           result.values + item * made * result.columns + column, result.columns, columns, k > 0},
                          made);
        }
    };
    const auto finish = [&](int64_t item, int64_t column, int64_t columns) {
        if (result.steps.empty()) return;
        for (int64_t row = 0; row < made; row += kRowsFinishedAtOnce)
            finish_product(result, item * made + row, std::min(kRowsFinishedAtOnce, made - row), column, columns);
    };
    parallel(convolution.batch * convolution.groups * panels, [&](int64_t begin, int64_t end) {
        const auto panel = aligned_array<float>(block * kernels.width);
        while (begin < end) {
            const int64_t item = begin / panels, first = begin % panels * kernels.width;
            const int64_t count = std::min({end - begin, panels - begin % panels, kPanelsFinishedAtOnce});
            for (int64_t i = 0; i < count; ++i) multiply(item, first + i * kernels.width, panel.get());
            finish(item, first, std::min(count * kernels.width, convolution.plane - first));
            begin += count;
        }
    });
}

}  // namespace partita
