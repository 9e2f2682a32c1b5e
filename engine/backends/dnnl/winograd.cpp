#include "engine/backends/dnnl/winograd.h"

#include <algorithm>

#include "engine/ops/vector_units.h"
#include "engine/ops/winograd_convolution.h"

namespace partita::onednn {

namespace {

// The speed of a core of a current server, in operations and bytes per second. Only their ratios matter here.
constexpr double kOperations = 115e9;
constexpr double kWeightBandwidth = 20e9;     ///< weights come from memory: other layers' have displaced them
constexpr double kTransformBandwidth = 80e9;  ///< transformed tiles stay in the cache
/// The maximum ratio of the estimate to direct convolution: a small gain is not worth larger weights.
constexpr double kWorthIt = 0.85;
// oneDNN's tiles of 4 round more coarsely, and the worst error grows with the number of results. Within these limits it
// was at most 0.7e-6 of the largest result, like direct convolution's; beyond them up to 2e-6.
constexpr int64_t kMostChannelsOfLargeTiles = 48;
constexpr int64_t kMostResultsOfLargeTiles = int64_t(1) << 17;

double estimated_seconds(const ConvolutionGeometry& geometry, WinogradTile tile) {
    double pairs = double(geometry.in_channels) * double(geometry.out_channels);
    int64_t down = (geometry.output[1] + tile - 1) / tile, across = (geometry.output[2] + tile - 1) / tile;
    double in_tile = double((tile + 2) * (tile + 2));  // 9 for a direct convolution
    double tiles = double(geometry.batch) * double(down) * double(across);
    double compute = 2 * tiles * in_tile * pairs / kOperations;
    double weights = 4 * in_tile * pairs / kWeightBandwidth;
    double transforms =
        tile == 1 ? 0
                  : 8 * tiles * in_tile * double(geometry.in_channels + geometry.out_channels) / kTransformBandwidth;
    return compute + weights + transforms;
}

bool fits(const ConvolutionGeometry& geometry) {
    const Window& window = geometry.window;
    bool plane = geometry.input[0] == 1 && window.size[0] == 1;
    if (!plane || geometry.groups != 1 || geometry.transposed) return false;
    for (size_t axis : {1, 2})
        if (window.size[axis] != 3 || window.stride[axis] != 1 || window.dilation[axis] != 1) return false;
    return true;
}

/// The own kernels take whole blocks of channels.
bool fits_own(const ConvolutionGeometry& geometry) {
    return geometry.rank == 2 && geometry.in_channels % kWinogradChannels == 0 &&
           geometry.out_channels % kWinogradChannels == 0;
}

/// oneDNN processes several blocks of 16 output channels at a time if their number has such a factor. One by one they
/// are slower than a direct convolution: 0.80 ms against 0.52 for 96 to 208 channels of 13x13.
bool groups_blocks(const ConvolutionGeometry& geometry) {
    int64_t blocks = (geometry.out_channels + 15) / 16;
    if (blocks < 8) return true;
    for (int64_t factor = 2; factor < 8; ++factor)
        if (blocks % factor == 0) return true;
    return false;
}

bool rounds_finely(const ConvolutionGeometry& geometry) {
    int64_t results = geometry.batch * geometry.out_channels * geometry.output[1] * geometry.output[2];
    return geometry.in_channels <= kMostChannelsOfLargeTiles && results <= kMostResultsOfLargeTiles;
}

}  // namespace

WinogradKernels winograd_kernels() {
    return vector_unit() == VectorUnit::Avx2 ? WinogradKernels::Own : WinogradKernels::OneDnn;
}

std::vector<WinogradTile> convolution_methods(const ConvolutionGeometry& geometry, WinogradKernels kernels) {
    const bool own = kernels == WinogradKernels::Own;
    if (!fits(geometry) || !(own ? fits_own(geometry) : groups_blocks(geometry))) return {1};
    double direct = estimated_seconds(geometry, 1);
    std::vector<WinogradTile> methods;
    for (WinogradTile tile : {4, 2})
        if ((tile == 2 || own || rounds_finely(geometry)) && estimated_seconds(geometry, tile) < kWorthIt * direct)
            methods.push_back(tile);
    if (methods.size() == 2 && estimated_seconds(geometry, 4) > kWorthIt * estimated_seconds(geometry, 2))
        std::swap(methods[0], methods[1]);  // a small gain is not worth coarser results, either
    methods.push_back(1);
    return methods;
}

}  // namespace partita::onednn
