#include "engine/ops/channel_blocks.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// A square of so many rows, in registers.
template <int Lanes>
struct Square {
    typedef float Row __attribute__((vector_size(Lanes * sizeof(float))));
    struct __attribute__((packed, may_alias)) Place {
        Row values;
    };
    Row rows[Lanes];

    PARTITA_INLINED void load(int row, const float* from) { rows[row] = reinterpret_cast<const Place*>(from)->values; }
    PARTITA_INLINED void store(int row, float* to) const { reinterpret_cast<Place*>(to)->values = rows[row]; }

    /// Exchanges the parts of `Distance` x `Distance` that are off the diagonal, in each part of twice that size.
    template <int Distance, size_t... I>
    PARTITA_INLINED void exchange(std::index_sequence<I...>) {
        constexpr auto is_first = [](size_t lane) { return (int(lane) & Distance) == 0; };
#pragma GCC unroll 16
        for (int row = 0; row < Lanes; ++row) {
            if (!is_first(size_t(row))) continue;
            const Row low = rows[row], high = rows[row + Distance];
            rows[row] = __builtin_shufflevector(low, high, (is_first(I) ? int(I) : int(I) - Distance + Lanes)...);
            rows[row + Distance] =
                __builtin_shufflevector(low, high, (is_first(I) ? int(I) + Distance : int(I) + Lanes)...);
        }
    }
    template <int Distance>
    PARTITA_INLINED void transpose_from() {
        exchange<Distance>(std::make_index_sequence<size_t(Lanes)>());
        if constexpr (Distance > 1) transpose_from<Distance / 2>();
    }
    PARTITA_INLINED void transpose() { transpose_from<Lanes / 2>(); }
};

/// Where the part of a plane begins that `next` is in: a whole one, which may overlap the one before.
PARTITA_INLINED int64_t part_begin(int64_t next, int64_t plane, int64_t lanes) {
    return std::max<int64_t>(0, std::min(next, plane - lanes));
}

/// A row of which only `count` elements may be touched.
template <int Lanes>
PARTITA_INLINED void load_part(Square<Lanes>& square, int row, const float* from, int64_t count) {
    float copy[Lanes] = {};
    std::memcpy(copy, from, size_t(count) * sizeof(float));
    square.load(row, copy);
}
template <int Lanes>
PARTITA_INLINED void store_part(const Square<Lanes>& square, int row, float* to, int64_t count) {
    float copy[Lanes];
    square.store(row, copy);
    std::memcpy(to, copy, size_t(count) * sizeof(float));
}

template <int Lanes>
PARTITA_INLINED void fill_block(const ChannelBlocks& shape, const float* const* planes, int64_t channels,
                                float* block) {
    constexpr float zeros[Lanes] = {};
    const int64_t step = shape.step(), count = std::min<int64_t>(Lanes, shape.plane);
    for (int64_t next = 0; next < shape.plane; next += Lanes) {
        const int64_t first = part_begin(next, shape.plane, Lanes);
        Square<Lanes> square;
#pragma GCC unroll 16
        for (int c = 0; c < Lanes; ++c) {
            const float* from = c < channels ? planes[c] + first : zeros;
            if (count == Lanes) square.load(c, from);
            else load_part(square, c, from, count);
        }
        square.transpose();
#pragma GCC unroll 16
        for (int i = 0; i < Lanes; ++i)
            if (i < count) square.store(i, block + (first + i) * step);
    }
}

template <int Lanes>
PARTITA_INLINED void fill_planes(const ChannelBlocks& shape, const float* block, int64_t channels, float* planes) {
    const int64_t step = shape.step(), count = std::min<int64_t>(Lanes, shape.plane);
    for (int64_t next = 0; next < shape.plane; next += Lanes) {
        const int64_t first = part_begin(next, shape.plane, Lanes);
        Square<Lanes> square;
#pragma GCC unroll 16
        for (int i = 0; i < Lanes; ++i) square.load(i, block + (first + std::min<int64_t>(i, count - 1)) * step);
        square.transpose();
#pragma GCC unroll 16
        for (int c = 0; c < Lanes; ++c) {
            float* to = planes + c * shape.plane + first;
            if (c < channels && count == Lanes) square.store(c, to);
            else if (c < channels) store_part(square, c, to, count);
        }
    }
}

#define PARTITA_CHANNEL_BLOCKS(NAME, TARGET, LANES)                                                                   \
    TARGET void fill_block_##NAME(const ChannelBlocks& shape, const float* const* planes, int64_t channels,           \
                                  float* block) {                                                                     \
        fill_block<LANES>(shape, planes, channels, block);                                                            \
    }                                                                                                                 \
    TARGET void fill_planes_##NAME(const ChannelBlocks& shape, const float* block, int64_t channels, float* planes) { \
        fill_planes<LANES>(shape, block, channels, planes);                                                           \
    }
PARTITA_CHANNEL_BLOCKS(avx512, PARTITA_TARGET_AVX512, 16)
PARTITA_CHANNEL_BLOCKS(avx2, PARTITA_TARGET_AVX2, 8)
#undef PARTITA_CHANNEL_BLOCKS

/// The channels of a block, and where they are.
struct BlockPlace {
    int64_t plane;  ///< of the first channel
    int64_t channels;
    int64_t offset;  ///< in the layout of blocks
};

BlockPlace place_of(const ChannelBlocks& shape, int64_t block) {
    const int64_t image = block / shape.blocks(), first = block % shape.blocks() * shape.lanes;
    const int64_t before = image * shape.channels;
    if (!shape.last)
        return {before + first, std::min(shape.lanes, shape.channels - first), block * shape.plane * shape.lanes};
    // The last one is whole, too, and overlaps the one before.
    assert(shape.channels >= shape.lanes);
    const int64_t channel = std::min(first, shape.channels - shape.lanes);
    return {before + channel, shape.lanes, before * shape.plane + channel};
}

/// Returns the first block of a part.
int64_t block_of(const ChannelBlocks& shape, int64_t part) {
    return part / shape.parts() * shape.blocks() + part % shape.parts();
}

}  // namespace

void planes_to_blocks(const ChannelBlocks& shape, const float* planes, std::span<const int64_t> order, float* blocks,
                      int64_t begin, int64_t end) {
    assert(shape.lanes == 16 || shape.lanes == 8);
    const auto fill = shape.lanes == 16 ? fill_block_avx512 : fill_block_avx2;
    for (int64_t block = block_of(shape, begin); block < block_of(shape, end); ++block) {
        const auto [plane, channels, offset] = place_of(shape, block);
        const float* taken[16];
        for (int64_t c = 0; c < channels; ++c)
            taken[c] = planes + (order.empty() ? plane + c : order[size_t(plane + c)]) * shape.plane;
        fill(shape, taken, channels, blocks + offset);
    }
}

void blocks_to_planes(const ChannelBlocks& shape, const float* blocks, float* planes, int64_t begin, int64_t end) {
    assert(shape.lanes == 16 || shape.lanes == 8);
    const auto fill = shape.lanes == 16 ? fill_planes_avx512 : fill_planes_avx2;
    for (int64_t block = block_of(shape, begin); block < block_of(shape, end); ++block) {
        const auto [plane, channels, offset] = place_of(shape, block);
        fill(shape, blocks + offset, channels, planes + plane * shape.plane);
    }
}

}  // namespace partita
