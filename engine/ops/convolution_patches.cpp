#include "engine/ops/convolution_patches.h"

#include <algorithm>

namespace partita {

namespace {

/// Gathers the channels of an element of the image.
void gather_channels(const ConvolutionPatches& patches, const float* data, int64_t y, int64_t x, float* to) {
    const auto [height, width] = patches.data;
    if (y < 0 || x < 0 || y >= height || x >= width) {
        std::fill_n(to, patches.channels, 0.0F);
        return;
    }
    const float* from = data + (y * width + x) * patches.block;
    for (int64_t channel = 0; channel < patches.channels; channel += patches.block) {
        std::copy_n(from, patches.block, to + channel);
        from += height * width * patches.block;
    }
}

}  // namespace

void gather_patches(const ConvolutionPatches& patches, const float* data, float* rows, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
        const int64_t top = row / patches.result[1] * patches.stride[0] - patches.pad_before[0];
        const int64_t left = row % patches.result[1] * patches.stride[1] - patches.pad_before[1];
        float* to = rows + row * patches.depth();
        for (int64_t y = 0; y < patches.window[0]; ++y)
            for (int64_t x = 0; x < patches.window[1]; ++x, to += patches.channels)
                gather_channels(patches, data, top + y * patches.dilation[0], left + x * patches.dilation[1], to);
    }
}

}  // namespace partita
