// What a convolution's windows see, gathered as rows of a matrix, so that the convolution is a product with packed
// weights. Chellapilla, Puri and Simard, "High Performance Convolutional Neural Networks for Document Processing",
// 2006. Where there are few windows and many weights, as in the last layers of an image network, the weights come from
// memory and little else takes time.
#pragma once

#include <array>
#include <cstdint>

namespace partita {

/// One image, whose channels come in blocks: element (channel, y, x) is at ((channel / block * height) + y) * width +
/// x)
/// * block + channel % block.
struct ConvolutionPatches {
    using Pair = std::array<int64_t, 2>;  ///< (height, width)
    int64_t block = 8, channels = 8;      ///< a multiple of the block
    Pair data{1, 1}, result{1, 1};
    Pair window{1, 1}, stride{1, 1}, dilation{1, 1}, pad_before{0, 0};

    /// Rows of the matrix: a window each.
    int64_t rows() const { return result[0] * result[1]; }
    /// Columns: channels of the window's first element, then of its second, and so on.
    int64_t depth() const { return window[0] * window[1] * channels; }
};

/// Gathers rows [begin, end); what lies outside the image is zero.
void gather_patches(const ConvolutionPatches& patches, const float* data, float* rows, int64_t begin, int64_t end);

}  // namespace partita
