#include "engine/backends/dnnl/winograd.h"

#include <algorithm>

#include "engine/ops/packed_product.h"
#include "engine/ops/vector_units.h"
#include "engine/ops/winograd_convolution.h"

namespace partita::onednn {

namespace {

/// What a core of a current server does in a second. Only the ratios matter here.
struct Speed {
    double operations;
    double weights;      ///< bytes; they come from memory: other layers' have displaced them
    double transformed;  ///< bytes; tiles stay in the cache
};
constexpr Speed kAvx2{115e9, 20e9, 80e9}, kAvx512{150e9, 12e9, 30e9};
/// The maximum ratio of the estimate to direct convolution: a small gain is not worth larger weights.
constexpr double kWorthIt = 0.85;

int64_t tiles_of(const ConvolutionGeometry& geometry, WinogradTile tile) {
    const int64_t down = (geometry.output[1] + tile - 1) / tile, across = (geometry.output[2] + tile - 1) / tile;
    return geometry.batch * down * across;
}

const Speed& speed_here() { return vector_unit() == VectorUnit::Avx512 ? kAvx512 : kAvx2; }

/// What a convolution takes, in seconds.
struct Estimate {
    double compute, weights, transforms;
};

Estimate estimate(const ConvolutionGeometry& geometry, WinogradTile tile) {
    const Speed& speed = speed_here();
    const double given = double(filled_channels(geometry.in_channels));
    const double made = double(filled_channels(geometry.out_channels)), pairs = given * made;
    const double in_tile = double((tile + 2) * (tile + 2));  // 9 for a direct convolution
    const double tiles = double(tiles_of(geometry, tile));
    return {2 * tiles * in_tile * pairs / speed.operations, 4 * in_tile * pairs / speed.weights,
            tile == 1 ? 0 : 8 * tiles * in_tile * (given + made) / speed.transformed};
}

double estimated_seconds(const ConvolutionGeometry& geometry, WinogradTile tile) {
    const auto [compute, weights, transforms] = estimate(geometry, tile);
    if (tile == 1) return compute + weights;
    return std::max(compute, weights) + transforms;  // the own kernels fetch weights ahead
}

bool fits(const ConvolutionGeometry& geometry) {
    const Window& window = geometry.window;
    const bool plane = geometry.rank == 2 && geometry.input[0] == 1 && window.size[0] == 1;
    if (!plane || geometry.groups != 1 || geometry.transposed) return false;
    for (size_t axis : {1, 2})
        if (window.size[axis] != 3 || window.stride[axis] != 1 || window.dilation[axis] != 1) return false;
    const auto is_filled = [](int64_t channels) { return 2 * channels >= filled_channels(channels); };
    return winograd_runs_here() && is_filled(geometry.in_channels) && is_filled(geometry.out_channels);
}

}  // namespace

double winograd_work(const ConvolutionGeometry& geometry, WinogradTile tile) {
    const Estimate estimated = estimate(geometry, tile);
    return (estimated.compute + estimated.transforms) * speed_here().operations / 2;
}

int64_t filled_channels(int64_t channels) {
    const int64_t block = product_block();
    return (channels + block - 1) / block * block;
}

std::vector<WinogradTile> convolution_methods(const ConvolutionGeometry& geometry) {
    if (!fits(geometry)) return {1};
    const double direct = estimated_seconds(geometry, 1);
    std::vector<WinogradTile> methods;
    for (WinogradTile tile : {4, 2})
        if (estimated_seconds(geometry, tile) < kWorthIt * direct) methods.push_back(tile);
    if (methods.size() == 2 && estimated_seconds(geometry, 4) > kWorthIt * estimated_seconds(geometry, 2))
        std::swap(methods[0], methods[1]);  // a small gain is not worth coarser results, either
    methods.push_back(1);
    return methods;
}

}  // namespace partita::onednn
