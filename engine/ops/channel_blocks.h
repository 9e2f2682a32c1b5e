// Float32 planes of channels, one after the other, from and to layouts in which channels of an element are adjacent:
// blocks of channels (oneDNN's nChw16c and nChw8c), and channels last (nhwc). oneDNN's own changes take up to four
// times as long where channels do not fill the last block.
#pragma once

#include <cstdint>
#include <span>

namespace partita {

struct ChannelBlocks {
    int64_t channels;  ///< of an image
    int64_t plane;     ///< elements of a channel
    int64_t lanes;     ///< channels that are moved together: 16 with AVX-512, 8 with AVX2
    bool last;         ///< channels last, `lanes` of them at least; else in blocks, the last one filled up with 0

    int64_t blocks() const { return (channels + lanes - 1) / lanes; }
    /// What threads may fill apart, for each image: channels last, the last block overlaps the one before.
    int64_t parts() const { return last && blocks() > 1 ? blocks() - 1 : blocks(); }
    /// From an element to the next one of the same channel.
    int64_t step() const { return last ? channels : lanes; }
};

/// Fills parts [begin, end), counted over all images. Channel c of image n is plane order[n * channels + c] of
/// `planes`, or, without an order, plane n * channels + c.
void planes_to_blocks(const ChannelBlocks& shape, const float* planes, std::span<const int64_t> order, float* blocks,
                      int64_t begin, int64_t end);

/// Fills the planes of parts [begin, end).
void blocks_to_planes(const ChannelBlocks& shape, const float* blocks, float* planes, int64_t begin, int64_t end);

}  // namespace partita
