#include "engine/ops/winograd_convolution.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/ops/packed_product.h"
#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// Channels that are transformed at a time.
constexpr int64_t kChannels = 8;

/// Transformed tiles and their products take about this much of the second-level cache; with fewer tiles than these at
/// a time, weights would be read too often.
constexpr int64_t kBlockBytes = 320 << 10, kFewestTiles = 48;

/// A thread that has so many tiles goes through them by itself. With fewer, threads share the positions of all tiles,
/// and with them the weights, though each reads then what others have transformed.
constexpr int64_t kFewestTilesOfThread = 24;

/// Positions of a tile lie apart by an odd number of cache lines: a power of two would put all of them into the same
/// few places of the cache.
int64_t position_stride(int64_t tiles, int64_t channels) {
    constexpr int64_t kLine = 64 / sizeof(float);
    return ((tiles * channels + kLine - 1) / kLine | 1) * kLine;
}

// Channels in a register of AVX2. Everything that handles one is compiled for AVX2 and inlined.
typedef float Channels __attribute__((vector_size(kChannels * sizeof(float))));
struct __attribute__((packed, may_alias)) Place {
    Channels values;
};
#define PARTITA_INLINED_AVX2 PARTITA_TARGET_AVX2 PARTITA_INLINED

PARTITA_INLINED_AVX2 void load(const float* from, Channels& to) { to = reinterpret_cast<const Place*>(from)->values; }
PARTITA_INLINED_AVX2 void store(const Channels& from, float* to) { reinterpret_cast<Place*>(to)->values = from; }

/// The transforms of one dimension. Points: 0, 1, -1, infinity.
template <int tile>
struct Transform {
    static constexpr int size = 4;
    static constexpr double weights[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};

    PARTITA_INLINED_AVX2 static void data(const Channels* in, int64_t stride, Channels* out) {
        const Channels a = in[0], b = in[stride], c = in[2 * stride], d = in[3 * stride];
        out[0] = a - c;
        out[1] = b + c;
        out[2] = c - b;
        out[3] = d - b;
    }

    PARTITA_INLINED_AVX2 static void result(const Channels* in, int64_t stride, Channels* out) {
        const Channels a = in[0], b = in[stride], c = in[2 * stride], d = in[3 * stride];
        out[0] = a + b + c;
        out[1] = b - c + d;
    }
};

/// Points: 0, p, -p, q, -q, infinity; with p = 5/8 and q = 3/2 errors are a third of those with 1 and 2.
template <>
struct Transform<4> {
    static constexpr int size = 6;
    static constexpr double p = 5.0 / 8, q = 3.0 / 2, p2 = p * p, q2 = q * q;
    static constexpr double at_p = 1 / (2 * p2 * (p2 - q2)), at_q = 1 / (2 * q2 * (q2 - p2));
    static constexpr double weights[6][3] = {{1 / (p2 * q2), 0, 0},      {at_p, p* at_p, p2* at_p},
                                             {at_p, -p* at_p, p2* at_p}, {at_q, q* at_q, q2* at_q},
                                             {at_q, -q* at_q, q2* at_q}, {0, 0, 1}};

    PARTITA_INLINED_AVX2 static void data(const Channels* in, int64_t stride, Channels* out) {
        const Channels a = in[0], b = in[stride], c = in[2 * stride], d = in[3 * stride], e = in[4 * stride],
                       f = in[5 * stride];
        constexpr float product = float(p2 * q2), sum = float(p2 + q2);
        const Channels even_p = e - float(q2) * c, odd_p = float(p) * d - float(p * q2) * b;
        const Channels even_q = e - float(p2) * c, odd_q = float(q) * d - float(q * p2) * b;
        out[0] = product * a - sum * c + e;
        out[1] = even_p + odd_p;
        out[2] = even_p - odd_p;
        out[3] = even_q + odd_q;
        out[4] = even_q - odd_q;
        out[5] = product * b - sum * d + f;
    }

    PARTITA_INLINED_AVX2 static void result(const Channels* in, int64_t stride, Channels* out) {
        const Channels a = in[0], b = in[stride], c = in[2 * stride], d = in[3 * stride], e = in[4 * stride],
                       f = in[5 * stride];
        const Channels even_p = b + c, odd_p = b - c, even_q = d + e, odd_q = d - e;
        out[0] = a + even_p + even_q;
        out[1] = float(p) * odd_p + float(q) * odd_q;
        out[2] = float(p2) * even_p + float(q2) * even_q;
        out[3] = float(p * p2) * odd_p + float(q * q2) * odd_q + f;
    }
};

/// Some groups of kChannels channels of consecutive tiles.
struct TileRow {
    const WinogradConvolution& convolution;
    const WinogradRun& run;
    int64_t first, count;         ///< tiles, of all images
    int64_t group, groups;        ///< of channels
    float* transformed;           ///< of the first tile's position 0
    int64_t tile_stride, stride;  ///< from a tile to the next one, from a position to the next one
};

struct TilePlace {
    int64_t image, y, x;  ///< of the first result
};

TilePlace place_of(const WinogradConvolution& convolution, int64_t tile) {
    const int64_t across = (convolution.out_width + convolution.tile - 1) / convolution.tile;
    const int64_t down = (convolution.out_height + convolution.tile - 1) / convolution.tile;
    return {tile / (down * across), tile / across % down * convolution.tile, tile % across * convolution.tile};
}

PARTITA_INLINED void go_on(TilePlace& place, const WinogradConvolution& convolution) {
    place.x += convolution.tile;
    if (place.x < convolution.out_width) return;
    place.x = 0;
    place.y += convolution.tile;
    if (place.y < convolution.out_height) return;
    place.y = 0;
    ++place.image;
}

/// Returns where the elements of a group of channels of an image begin.
PARTITA_INLINED int64_t place_of_group(int64_t image, int64_t channels, int64_t group, int64_t pixels, int64_t block) {
    const int64_t channel = group * kChannels, within = channel % block;
    return (image * channels + channel - within) * pixels + within;
}

/// Reads a tile of data; beyond the image there are zeros.
template <int size>
PARTITA_INLINED_AVX2 void load_tile(const WinogradConvolution& convolution, const float* image, int64_t top,
                                    int64_t left, Channels (&in)[size][size]) {
    const int64_t height = convolution.height, width = convolution.width, step = convolution.block;
    const float* from = image + (top * width + left) * step;
    if (top >= 0 && left >= 0 && top + size <= height && left + size <= width) {
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) load(from + (y * width + x) * step, in[y][x]);
        return;
    }
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            in[y][x] = Channels{};
            if (top + y >= 0 && top + y < height && left + x >= 0 && left + x < width)
                load(from + (y * width + x) * step, in[y][x]);
        }
}

template <int tile>
PARTITA_TARGET_AVX2 void transform_data(const TileRow& row) {
    constexpr int size = Transform<tile>::size;
    const WinogradConvolution& convolution = row.convolution;
    const int64_t pixels = convolution.height * convolution.width;
    TilePlace place = place_of(convolution, row.first);
    for (int64_t t = 0; t < row.count; ++t, go_on(place, convolution)) {
        for (int64_t g = 0; g < row.groups; ++g) {
            const int64_t image =
                place_of_group(place.image, convolution.in_channels, row.group + g, pixels, convolution.block);
            Channels in[size][size], half[size][size];
            load_tile(convolution, row.run.data + image, place.y - convolution.pad_top, place.x - convolution.pad_left,
                      in);
            for (int x = 0; x < size; ++x) Transform<tile>::data(&in[0][x], size, half[x]);
            float* to = row.transformed + t * row.tile_stride + g * kChannels;
            for (int y = 0; y < size; ++y) {
                Channels out[size];
                Transform<tile>::data(&half[0][y], size, out);
                for (int x = 0; x < size; ++x) store(out[x], to + (y * size + x) * row.stride);
            }
        }
    }
}

/// Results of a tile that exist, of a group of channels.
struct ResultPiece {
    int64_t channel;  ///< the first one
    int64_t element;  ///< of the first result, in the layout of the result
    int64_t rows, columns, row_stride, column_stride;
};

template <int tile>
PARTITA_INLINED_AVX2 void finish_tile(const WinogradRun& run, const ResultPiece& piece,
                                      Channels (&values)[tile][tile]) {
    for (const ProductStep& step : run.steps) {
        const Channels zero{}, alpha = zero + step.alpha, beta = zero + step.beta;
        Channels operand;
        switch (step.kind) {
            case ProductStep::Kind::Bias:
                load(run.operands[step.operand] + piece.channel, operand);
                for (int i = 0; i < tile * tile; ++i) values[i / tile][i % tile] += operand;
                break;
            case ProductStep::Kind::Sum:
                for (int64_t y = 0; y < piece.rows; ++y)
                    for (int64_t x = 0; x < piece.columns; ++x) {
                        load(
                            run.operands[step.operand] + piece.element + y * piece.row_stride + x * piece.column_stride,
                            operand);
                        values[y][x] += operand;
                    }
                break;
            case ProductStep::Kind::Relu:
                for (int i = 0; i < tile * tile; ++i) {
                    Channels& value = values[i / tile][i % tile];
                    value = value < zero ? value * alpha : value;
                }
                break;
            case ProductStep::Kind::Linear:
                for (int i = 0; i < tile * tile; ++i) {
                    Channels& value = values[i / tile][i % tile];
                    value = value * alpha + beta;
                }
                break;
            case ProductStep::Kind::Clip:
                for (int i = 0; i < tile * tile; ++i) {
                    Channels& value = values[i / tile][i % tile];
                    value = value < alpha ? alpha : value > beta ? beta : value;
                }
                break;
            default: {
                constexpr int64_t count = sizeof values / sizeof(float);
                finish_product({reinterpret_cast<float*>(values), count, {&step, 1}, {}}, 0, 1, 0, count);
            }
        }
    }
}

template <int tile>
PARTITA_TARGET_AVX2 void transform_result(const TileRow& row) {
    constexpr int size = Transform<tile>::size;
    const WinogradConvolution& convolution = row.convolution;
    const int64_t height = convolution.out_height, width = convolution.out_width;
    TilePlace place = place_of(convolution, row.first);
    for (int64_t t = 0; t < row.count; ++t, go_on(place, convolution)) {
        const int64_t rows = std::min<int64_t>(tile, height - place.y),
                      columns = std::min<int64_t>(tile, width - place.x);
        for (int64_t g = 0; g < row.groups; ++g) {
            const float* from = row.transformed + t * row.tile_stride + g * kChannels;
            Channels half[size][tile], out[tile][tile];
            for (int x = 0; x < size; ++x) {
                Channels in[size];
                for (int y = 0; y < size; ++y) load(from + (y * size + x) * row.stride, in[y]);
                Transform<tile>::result(in, 1, half[x]);
            }
            for (int y = 0; y < tile; ++y) Transform<tile>::result(&half[0][y], tile, out[y]);
            const int64_t step = convolution.block, group = row.group + g;
            const int64_t image = place_of_group(place.image, convolution.out_channels, group, height * width, step);
            const ResultPiece piece{
                group * kChannels, image + (place.y * width + place.x) * step, rows, columns, width * step, step};
            finish_tile(row.run, piece, out);
            for (int64_t y = 0; y < rows; ++y)
                for (int64_t x = 0; x < columns; ++x)
                    store(out[y][x], row.run.result + piece.element + y * piece.row_stride + x * piece.column_stride);
        }
    }
}

#undef PARTITA_INLINED_AVX2

using RowTransform = void (*)(const TileRow&);

struct Transforms {
    RowTransform data, result;
};

Transforms transforms_of(const WinogradConvolution& convolution) {
    if (convolution.tile == 4) return {transform_data<4>, transform_result<4>};
    return {transform_data<2>, transform_result<2>};
}

/// Calls body(group, groups) for the groups of channels, two at a time: together they fill a line of the cache.
template <class Body>
void for_groups(int64_t channels, const ParallelLoop& parallel, const Body& body) {
    const int64_t groups = channels / kChannels;
    parallel((groups + 1) / 2, [&](int64_t begin, int64_t end) {
        for (int64_t pair = begin; pair < end; ++pair) body(2 * pair, std::min<int64_t>(2, groups - 2 * pair));
    });
}

/// Returns how many tiles are gone through at a time if the number of blocks is a multiple of `parts`.
int64_t tiles_of_block(const WinogradConvolution& convolution, int64_t parts = 1) {
    const int64_t each = convolution.positions() * (convolution.in_channels + convolution.out_channels) * 4;
    const int64_t tiles = convolution.tiles(), most = std::max(kFewestTiles, kBlockBytes / each) * parts;
    const int64_t blocks = (tiles + most - 1) / most * parts;
    return (tiles + blocks - 1) / blocks;
}

int64_t block_elements(const WinogradConvolution& convolution) {
    const int64_t tiles = tiles_of_block(convolution);
    return convolution.positions() *
           (position_stride(tiles, convolution.in_channels) + position_stride(tiles, convolution.out_channels));
}

/// Computes tiles [first, first + count).
void convolve_block(const WinogradConvolution& convolution, const WinogradRun& run, int64_t first, int64_t count,
                    float* workspace, const ParallelLoop& parallel) {
    const Transforms transforms = transforms_of(convolution);
    const int64_t in = convolution.in_channels, out = convolution.out_channels;
    const int64_t in_stride = position_stride(count, in), out_stride = position_stride(count, out);
    float* products = workspace + convolution.positions() * in_stride;
    for_groups(in, parallel, [&](int64_t group, int64_t groups) {
        transforms.data({convolution, run, first, count, group, groups, workspace + group * kChannels, in, in_stride});
    });
    const int64_t weights = packed_weight_elements(in, out);
    const ParallelLoop alone = [](int64_t n, const auto& body) { body(0, n); };
    parallel(convolution.positions(), [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p)
            multiply_packed({count,
                             in,
                             workspace + p * in_stride,
                             run.weights + p * weights,
                             {products + p * out_stride, out, {}, {}}},
                            alone);
    });
    for_groups(out, parallel, [&](int64_t group, int64_t groups) {
        transforms.result(
            {convolution, run, first, count, group, groups, products + group * kChannels, out, out_stride});
    });
}

template <int tile>
void transform_weight(const float* weight, float* transformed, int64_t stride) {
    constexpr int size = Transform<tile>::size;
    const auto& factors = Transform<tile>::weights;
    double half[size][3] = {};
    for (int i = 0; i < size; ++i)
        for (int x = 0; x < 3; ++x)
            for (int y = 0; y < 3; ++y) half[i][x] += factors[i][y] * double(weight[y * 3 + x]);
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            double sum = 0;
            for (int x = 0; x < 3; ++x) sum += half[i][x] * factors[j][x];
            transformed[(i * size + j) * stride] = float(sum);
        }
}

}  // namespace

int64_t WinogradConvolution::tiles() const {
    return batch * ((out_height + tile - 1) / tile) * ((out_width + tile - 1) / tile);
}

int64_t WinogradConvolution::weight_elements() const {
    return positions() * packed_weight_elements(in_channels, out_channels);
}

int64_t WinogradConvolution::workspace_elements(int64_t parts) const {
    return std::clamp<int64_t>(tiles() / kFewestTilesOfThread, 1, parts) * block_elements(*this);
}

bool winograd_runs_here() { return vector_unit() != VectorUnit::Baseline; }

void transform_winograd_weights(const WinogradConvolution& convolution, const float* weights, float* transformed,
                                const ParallelLoop& parallel) {
    const int64_t in = convolution.in_channels, out = convolution.out_channels, pairs = in * out;
    const int64_t stride = position_stride(1, pairs);
    std::vector<float> matrices(size_t(convolution.positions() * stride));
    parallel(pairs, [&](int64_t begin, int64_t end) {
        for (int64_t pair = begin; pair < end; ++pair) {
            if (convolution.tile == 4) transform_weight<4>(weights + pair * 9, matrices.data() + pair, stride);
            else transform_weight<2>(weights + pair * 9, matrices.data() + pair, stride);
        }
    });
    for (int64_t p = 0; p < convolution.positions(); ++p)
        pack_weights(matrices.data() + p * stride, 1, in, in, out, nullptr,
                     transformed + p * packed_weight_elements(in, out), parallel);
}

void convolve_by_winograd(const WinogradConvolution& convolution, const WinogradRun& run,
                          const ParallelLoop& parallel) {
    const int64_t tiles = convolution.tiles();
    const bool share = tiles < run.parts * kFewestTilesOfThread;
    const int64_t parts = share ? 1 : run.parts, at_once = tiles_of_block(convolution, parts);
    const int64_t blocks = (tiles + at_once - 1) / at_once;
    const ParallelLoop alone = [](int64_t n, const auto& body) { body(0, n); };
    const auto do_part = [&](int64_t part, const ParallelLoop& loop) {
        for (int64_t block = blocks * part / parts; block < blocks * (part + 1) / parts; ++block)
            convolve_block(convolution, run, block * at_once, std::min(at_once, tiles - block * at_once),
                           run.workspace + part * block_elements(convolution), loop);
    };
    if (parts == 1) return do_part(0, parallel);
    parallel(parts, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) do_part(part, alone);
    });
}

}  // namespace partita
