#include "engine/ops/pointwise_convolution.h"

#include <algorithm>
#include <cstring>

namespace partita {

namespace {

/// A panel of so many rows stays in the first-level cache.
constexpr int64_t kPanelDepth = 256;

/// So many panels are packed together, because rows are read fastest in one piece, and finished together.
constexpr int64_t kPanelsAtOnce = 8;

/// Each step goes over so many rows: few enough to stay in the first-level cache until the next step.
constexpr int64_t kRowsFinishedAtOnce = 8;

/// Columns [first, first + columns) of the planes of a group of an image.
struct Part {
    int64_t item, first, columns;
};

class PointwiseProduct {
public:
    PointwiseProduct(const PointwiseConvolution& shape, const float* data, const float* weights,
                     const ProductResult& result)
        : shape_(shape), data_(data), weights_(weights), result_(result), depth_(shape.weight_row()) {
        const int64_t blocks = (depth_ + kPanelDepth - 1) / kPanelDepth;
        block_ = (depth_ + blocks - 1) / blocks;
    }

    int64_t panels() const { return (shape_.plane + width() - 1) / width(); }
    int64_t packed_elements() const { return block_ * width() * kPanelsAtOnce; }

    void compute(int64_t item, int64_t panel, int64_t panels, float* packed) const {
        const int64_t first = panel * width();
        const Part part{item, first, std::min(panels * width(), shape_.plane - first)};
        for (int64_t k = 0; k < depth_; k += block_) {
            const int64_t rows = std::min(block_, depth_ - k);
            pack(part, k, rows, packed);
            for (int64_t p = 0; p < panels; ++p) multiply(part, k, rows, p, packed + p * rows * width());
        }
        for (int64_t row = 0; row < shape_.made && !result_.steps.empty(); row += kRowsFinishedAtOnce)
            finish_product(result_, item * shape_.made + row, std::min(kRowsFinishedAtOnce, shape_.made - row),
                           part.first, part.columns);
    }

private:
    int64_t width() const { return kernels_.width; }

    /// Packs rows [k, k + rows) of the planes. After the last one comes a row of ones, which the bias is multiplied by.
    void pack(const Part& part, int64_t k, int64_t rows, float* packed) const {
        const int64_t panel = rows * width();
        for (int64_t r = 0; r < rows; ++r) {
            float* to = packed + r * width();
            if (k + r == shape_.given) {
                for (int64_t j = 0; j < part.columns; j += width(), to += panel) std::fill_n(to, width(), 1.0F);
                continue;
            }
            const float* from = data_ + (part.item * shape_.given + k + r) * shape_.plane + part.first;
            int64_t j = 0;
            for (; j + width() <= part.columns; j += width(), to += panel) copy_row(from + j, to);
            if (j == part.columns) continue;
            std::copy(from + j, from + part.columns, to);
            std::fill(to + part.columns - j, to + width(), 0.0F);
        }
    }

    void copy_row(const float* from, float* to) const {
        constexpr int64_t kPiece = 8;  // a size that the compiler knows; each width is a multiple of it
        for (int64_t j = 0; j < width(); j += kPiece) std::memcpy(to + j, from + j, kPiece * sizeof(float));
    }

    void multiply(const Part& part, int64_t k, int64_t rows, int64_t p, const float* panel) const {
        const int64_t column = part.first + p * width();
        const float* weights = weights_ + part.item % shape_.groups * shape_.made * depth_ + k;
        float* to = result_.values + part.item * shape_.made * result_.columns + column;
        multiply_rows(
            kernels_,
            {weights, depth_, panel, rows, to, result_.columns, std::min(width(), shape_.plane - column), k > 0},
            shape_.made);
    }

    const TileKernels<float>& kernels_ = tile_kernels<float>();
    const PointwiseConvolution& shape_;
    const float *data_, *weights_;
    const ProductResult& result_;
    int64_t depth_, block_;
};

}  // namespace

void convolve_pointwise(const PointwiseConvolution& convolution, const float* data, const float* weights,
                        const ProductResult& result, const ParallelLoop& parallel) {
    const PointwiseProduct product(convolution, data, weights, result);
    const int64_t panels = product.panels();
    parallel(convolution.batch * convolution.groups * panels, [&](int64_t begin, int64_t end) {
        const auto packed = aligned_array<float>(product.packed_elements());
        while (begin < end) {
            const int64_t panel = begin % panels, count = std::min({end - begin, panels - panel, kPanelsAtOnce});
            product.compute(begin / panels, panel, count, packed.get());
            begin += count;
        }
    });
}

}  // namespace partita
