#include "engine/ops/convolution_kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/ops/gemm.h"
#include "engine/ops/vector_units.h"

namespace partita {

PlainConvolution plain_equivalent(const ConvolutionGeometry& geometry) {
    PlainConvolution plain;
    plain.batch = geometry.batch;
    plain.groups = geometry.groups;
    plain.in_channels = geometry.in_channels;
    plain.out_channels = geometry.out_channels;
    plain.input = geometry.input;
    plain.output = geometry.output;
    plain.kernel = geometry.window.size;
    plain.dilation = geometry.window.dilation;
    for (size_t axis = 0; axis < 3; ++axis) {
        if (geometry.transposed) {
            plain.spread[axis] = geometry.window.stride[axis];
            plain.offset[axis] = geometry.window.pad_before[axis] - (geometry.window.reach(axis) - 1);
        } else {
            plain.stride[axis] = geometry.window.stride[axis];
            plain.offset[axis] = -geometry.window.pad_before[axis];
        }
    }
    return plain;
}

template <class T>
void flip_transposed_weight(const ConvolutionGeometry& geometry, const T* weight, T* flipped) {
    int64_t in_group = geometry.in_channels / geometry.groups, out_group = geometry.out_channels / geometry.groups;
    int64_t taps = geometry.window.size[0] * geometry.window.size[1] * geometry.window.size[2];
    for (int64_t group = 0; group < geometry.groups; ++group)
        for (int64_t in = 0; in < in_group; ++in)
            for (int64_t out = 0; out < out_group; ++out) {
                const T* from = weight + ((group * in_group + in) * out_group + out) * taps;
                T* to = flipped + ((group * out_group + out) * in_group + in) * taps;
                std::reverse_copy(from, from + taps, to);
            }
}

namespace {

/// A run of result elements along the last axis: its place in its panel and in the image of results.
struct Run {
    int64_t panel_begin, length;
    int64_t depth, row, column;
};

void split_into_runs(const PlainConvolution& plain, int64_t position, int64_t count, std::vector<Run>& runs) {
    runs.clear();
    for (int64_t done = 0; done < count;) {
        int64_t column = (position + done) % plain.output[2];
        int64_t row = (position + done) / plain.output[2] % plain.output[1];
        int64_t depth = (position + done) / plain.output[2] / plain.output[1];
        int64_t length = std::min(plain.output[2] - column, count - done);
        runs.push_back({done, length, depth, row, column});
        done += length;
    }
}

/// Returns the index of the datum at a place of the spread data, or -1 if there is none.
inline int64_t datum_index(int64_t place, int64_t spread, int64_t extent) {
    if (spread == 1) return place >= 0 && place < extent ? place : -1;
    if (place < 0 || place % spread != 0) return -1;
    int64_t index = place / spread;
    return index < extent ? index : -1;
}

int64_t divide_up(int64_t a, int64_t b) { return a <= 0 ? -(-a / b) : (a + b - 1) / b; }

/// Gathers the elements that one tap reads along a run; `source` is the row of data, null if that lies outside.
template <class T>
void gather_run(const PlainConvolution& plain, const T* source, int64_t first_place, int64_t length, T* to) {
    if (!source) {
        std::fill_n(to, length, T(0));
        return;
    }
    int64_t stride = plain.stride[2], extent = plain.input[2];
    if (plain.spread[2] != 1) {
        for (int64_t i = 0; i < length; ++i) {
            int64_t index = datum_index(first_place + i * stride, plain.spread[2], extent);
            to[i] = index < 0 ? T(0) : source[index];
        }
        return;
    }
    const T* from = source + first_place;
    int64_t begin = 0, end = length;
    if (first_place < 0) begin = std::min(divide_up(-first_place, stride), length);
    if (first_place + (length - 1) * stride >= extent)
        end = std::clamp<int64_t>(divide_up(extent - first_place, stride), begin, length);
    std::fill(to, to + begin, T(0));
    if (stride == 1) std::copy(from + begin, from + end, to + begin);
    else if (stride == 2)
        for (int64_t i = begin; i < end; ++i) to[i] = from[2 * i];
    else
        for (int64_t i = begin; i < end; ++i) to[i] = from[i * stride];
    std::fill(to + end, to + length, T(0));
}

/// A row of the matrix of windows: a channel and a tap, counted without divisions.
struct WindowRow {
    int64_t channel, depth, row, column;

    WindowRow(const PlainConvolution& plain, int64_t k)
        : channel(k / plain.taps()), depth(k / plain.kernel[2] / plain.kernel[1] % plain.kernel[0]),
          row(k / plain.kernel[2] % plain.kernel[1]), column(k % plain.kernel[2]) {}

    void advance(const PlainConvolution& plain) {
        if (++column < plain.kernel[2]) return;
        column = 0;
        if (++row < plain.kernel[1]) return;
        row = 0;
        if (++depth < plain.kernel[0]) return;
        depth = 0;
        ++channel;
    }
};

/// Fills a panel of the matrix of windows: row (channel, tap), column = position in the result.
template <class T>
void gather_windows(const PlainConvolution& plain, const T* data, const GemmPanel<T>& piece) {
    thread_local std::vector<Run> runs;
    split_into_runs(plain, piece.column, piece.count, runs);
    WindowRow tap(plain, piece.depth_begin);
    const int64_t plane = plain.input_plane();
    T* to = piece.panel;
    for (int64_t k = piece.depth_begin; k < piece.depth_end; ++k, to += piece.width, tap.advance(plain)) {
        const T* channel = data + tap.channel * plane;
        int64_t tap_depth = tap.depth * plain.dilation[0] + plain.offset[0];
        int64_t tap_row = tap.row * plain.dilation[1] + plain.offset[1];
        int64_t tap_column = tap.column * plain.dilation[2] + plain.offset[2];
        for (const Run& run : runs) {
            int64_t depth = datum_index(run.depth * plain.stride[0] + tap_depth, plain.spread[0], plain.input[0]);
            int64_t row = datum_index(run.row * plain.stride[1] + tap_row, plain.spread[1], plain.input[1]);
            const T* source =
                depth < 0 || row < 0 ? nullptr : channel + (depth * plain.input[1] + row) * plain.input[2];
            gather_run(plain, source, run.column * plain.stride[2] + tap_column, run.length, to + run.panel_begin);
        }
        std::fill(to + piece.count, to + piece.width, T(0));
    }
}

template <class T>
void convolve_by_gemm(const PlainConvolution& plain, const T* data, const T* weight, T* result, ThreadPool& threads) {
    int64_t in_group = plain.in_channels / plain.groups, out_group = plain.out_channels / plain.groups;
    GemmBatch<T> batch;
    batch.items = plain.batch * plain.groups;
    batch.rows = out_group;
    batch.columns = plain.output_plane();
    batch.depth = in_group * plain.taps();
    batch.first = weight;
    batch.first_stride = batch.depth;
    batch.first_items = plain.groups;
    batch.first_item_stride = batch.rows * batch.depth;
    batch.result = result;
    batch.result_stride = batch.columns;
    batch.result_item_stride = batch.rows * batch.columns;
    int64_t item_stride = in_group * plain.input_plane();
    bool is_matrix = plain.taps() == 1 && plain.stride == Extents{1, 1, 1} && plain.spread == Extents{1, 1, 1} &&
                     plain.offset == Extents{0, 0, 0} && plain.input == plain.output;
    if (is_matrix) gemm(batch, gather_from_matrix(data, batch.columns, int64_t(1), batch.items, item_stride), threads);
    else
        gemm<T>(
            batch, [&](const GemmPanel<T>& piece) { gather_windows(plain, data + piece.item * item_stride, piece); },
            threads);
}

// ---- Depthwise ----

/// A padded copy of a plane of the data in which every tap's elements are adjacent for any stride: each row is kept as
/// `phases` rows of the elements whose columns are equal modulo the stride.
struct PhasedPlane {
    /// The data of one phase: element i, for begin <= i < end, is the datum at column i * phases + shift.
    struct Phase {
        int64_t begin, end, shift;
    };

    int64_t depth, rows, phases, width;
    std::vector<Phase> data;  ///< one for each phase

    explicit PhasedPlane(const PlainConvolution& plain) {
        auto covered = [&plain](size_t axis) {
            return (plain.output[axis] - 1) * plain.stride[axis] + (plain.kernel[axis] - 1) * plain.dilation[axis] + 1;
        };
        depth = covered(0);
        rows = covered(1);
        phases = plain.stride[2];
        width = (covered(2) + phases - 1) / phases;
        for (int64_t phase = 0; phase < phases; ++phase) {
            int64_t shift = phase + plain.offset[2];
            int64_t begin = std::clamp<int64_t>(divide_up(-shift, phases), 0, width);
            data.push_back(
                {begin, std::clamp<int64_t>(divide_up(plain.input[2] - shift, phases), begin, width), shift});
        }
    }
    int64_t size() const { return depth * rows * phases * width; }
    int64_t row_begin(int64_t z, int64_t y, int64_t phase) const { return ((z * rows + y) * phases + phase) * width; }
};

template <class T, int Bytes>
struct Loose {
    typedef T Vector __attribute__((vector_size(Bytes)));
    /// An unaligned vector. (Clang forgets the alignment of a typedef that depends on a template's argument.)
    struct __attribute__((packed, may_alias)) Place {
        Vector values;
    };
    static constexpr int64_t lanes = Bytes / int64_t(sizeof(T));
};

#define PARTITA_INLINE __attribute__((always_inline)) inline

template <class T, int Bytes, size_t... I>
PARTITA_INLINE void take_even(const T* from, T* to, std::index_sequence<I...>) {
    using Place = typename Loose<T, Bytes>::Place;
    const auto *low = reinterpret_cast<const Place*>(from), *high = reinterpret_cast<const Place*>(from + sizeof...(I));
    reinterpret_cast<Place*>(to)->values = __builtin_shufflevector(low->values, high->values, int(2 * I)...);
}

/// to[i] = from[2 * i], for as many i as fit whole vectors. Reads no element after from[2 * (count - 1)].
template <class T, int Bytes>
PARTITA_INLINE int64_t take_even_vectors(const T* from, T* to, int64_t done, int64_t count) {
    constexpr int64_t lanes = Loose<T, Bytes>::lanes;
    for (; done + lanes < count; done += lanes)
        take_even<T, Bytes>(from + 2 * done, to + done, std::make_index_sequence<size_t(lanes)>());
    return done;
}

template <class T, int Bytes>
PARTITA_INLINE void copy_phase(const T* from, T* to, int64_t count, int64_t phases) {
    int64_t i = 0;
    if (phases == 1) {
        std::copy(from, from + count, to);
        return;
    }
    if (phases == 2) {
        i = take_even_vectors<T, Bytes>(from, to, i, count);
        if constexpr (Bytes > 32) i = take_even_vectors<T, 32>(from, to, i, count);
        if constexpr (Bytes > 16) i = take_even_vectors<T, 16>(from, to, i, count);
    }
    for (; i < count; ++i) to[i] = from[i * phases];
}

/// Copies the data in; leaves the padding around them unchanged.
template <class T, int Bytes>
PARTITA_INLINE void fill_phased_plane(const PlainConvolution& plain, const PhasedPlane& layout, const T* data,
                                      T* plane) {
    for (int64_t z = 0; z < layout.depth; ++z)
        for (int64_t y = 0; y < layout.rows; ++y) {
            int64_t source_z = z + plain.offset[0], source_y = y + plain.offset[1];
            if (source_z < 0 || source_z >= plain.input[0] || source_y < 0 || source_y >= plain.input[1]) continue;
            const T* source = data + (source_z * plain.input[1] + source_y) * plain.input[2];
            for (int64_t phase = 0; phase < layout.phases; ++phase) {
                auto [begin, end, shift] = layout.data[size_t(phase)];
                T* to = plane + layout.row_begin(z, y, phase);
                copy_phase<T, Bytes>(source + begin * layout.phases + shift, to + begin, end - begin, layout.phases);
            }
        }
}

/// Elements that may be read after a row's end: a vector register's worth.
constexpr int64_t kReadable = 64;

/// The rows of a plane of the result: result[y * width + x] = sum over taps of weight[tap] * plane[y * step +
/// offsets[tap] + x].
template <class T>
struct TapSums {
    const T* plane;
    const T* weight;
    T* result;
    const int64_t* offsets;
    int64_t taps, rows, width, step;
};

/// `Taps` is the number of taps if it is known at compile time, else 0. Reads whole vectors, so up to kReadable
/// elements too many; also writes them if the next row overwrites the excess.
template <class T, int Bytes, int Taps>
PARTITA_INLINE void sum_taps(const TapSums<T>& sums) {
    using Vector = typename Loose<T, Bytes>::Vector;
    using Place = typename Loose<T, Bytes>::Place;
    constexpr int64_t lanes = Loose<T, Bytes>::lanes;
    const int64_t end = sums.rows * sums.width;
    Vector weights[Taps ? Taps : 1];  // in registers
    for (int tap = 0; tap < Taps; ++tap) weights[tap] = sums.weight[tap] - Vector{};
    for (int64_t y = 0; y < sums.rows; ++y) {
        const T* row = sums.plane + y * sums.step;
        for (int64_t x = 0; x < sums.width; x += lanes) {
            Vector sum{};
            auto place = [&](int64_t tap) { return reinterpret_cast<const Place*>(row + sums.offsets[tap] + x); };
            if constexpr (Taps > 0) {
#pragma GCC unroll 9
                for (int tap = 0; tap < Taps; ++tap) sum += weights[tap] * place(tap)->values;
            } else {
                for (int64_t tap = 0; tap < sums.taps; ++tap) sum += sums.weight[tap] * place(tap)->values;
            }
            int64_t at = y * sums.width + x;
            if (at + lanes <= end) reinterpret_cast<Place*>(sums.result + at)->values = sum;
            else std::memcpy(sums.result + at, &sum, size_t(sums.width - x) * sizeof(T));
        }
    }
}

template <class T, int Bytes>
PARTITA_INLINE void sum_taps(const TapSums<T>& sums) {
    if (sums.taps == 9) sum_taps<T, Bytes, 9>(sums);
    else sum_taps<T, Bytes, 0>(sums);
}

/// The parts of a depthwise convolution that are compiled for each vector unit.
template <class T>
struct DepthwiseKernels {
    void (*fill)(const PlainConvolution&, const PhasedPlane&, const T* data, T* plane);
    void (*sum)(const TapSums<T>&);
};

#define PARTITA_DEPTHWISE(NAME, TARGET, BYTES)                                                                   \
    template <class T>                                                                                           \
    TARGET void fill_##NAME(const PlainConvolution& plain, const PhasedPlane& layout, const T* data, T* plane) { \
        fill_phased_plane<T, BYTES>(plain, layout, data, plane);                                                 \
    }                                                                                                            \
    template <class T>                                                                                           \
    TARGET void sum_##NAME(const TapSums<T>& sums) {                                                             \
        sum_taps<T, BYTES>(sums);                                                                                \
    }
PARTITA_DEPTHWISE(avx512, PARTITA_TARGET_AVX512, 64)
PARTITA_DEPTHWISE(avx2, PARTITA_TARGET_AVX2, 32)
PARTITA_DEPTHWISE(baseline, , 16)
#undef PARTITA_DEPTHWISE
#undef PARTITA_INLINE

template <class T>
DepthwiseKernels<T> depthwise_kernels() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return {fill_avx512<T>, sum_avx512<T>};
        case VectorUnit::Avx2: return {fill_avx2<T>, sum_avx2<T>};
        case VectorUnit::Baseline: break;
    }
    return {fill_baseline<T>, sum_baseline<T>};
}

/// Returns where each tap's elements begin, relative to the place of a result row's first window.
std::vector<int64_t> tap_offsets(const PlainConvolution& plain, const PhasedPlane& layout) {
    std::vector<int64_t> offsets;
    for (int64_t kz = 0; kz < plain.kernel[0]; ++kz)
        for (int64_t ky = 0; ky < plain.kernel[1]; ++ky)
            for (int64_t kx = 0; kx < plain.kernel[2]; ++kx) {
                int64_t shift = kx * plain.dilation[2];
                offsets.push_back(
                    layout.row_begin(kz * plain.dilation[0], ky * plain.dilation[1], shift % layout.phases) +
                    shift / layout.phases);
            }
    return offsets;
}

template <class T>
void convolve_depthwise(const PlainConvolution& plain, const T* data, const T* weight, T* result, ThreadPool& threads) {
    PhasedPlane layout(plain);
    int64_t multiplier = plain.out_channels / plain.in_channels;
    const std::vector<int64_t> offsets = tap_offsets(plain, layout);
    const DepthwiseKernels<T> kernels = depthwise_kernels<T>();
    int64_t work = plain.output_plane() * plain.taps() * multiplier, slice = plain.output[1] * plain.output[2];
    int64_t grain = std::max<int64_t>(1, 100000 / std::max<int64_t>(1, work));
    threads.parallel_for(plain.batch * plain.in_channels, grain, [&](int64_t begin, int64_t end) {
        std::vector<T> plane(static_cast<size_t>(layout.size() + kReadable));
        for (int64_t index = begin; index < end; ++index) {
            kernels.fill(plain, layout, data + index * plain.input_plane(), plane.data());
            int64_t channel = index % plain.in_channels;
            for (int64_t i = 0; i < multiplier; ++i)
                for (int64_t z = 0; z < plain.output[0]; ++z)
                    kernels.sum({plane.data() + layout.row_begin(z * plain.stride[0], 0, 0),
                                 weight + (channel * multiplier + i) * plain.taps(),
                                 result + (index * multiplier + i) * plain.output_plane() + z * slice, offsets.data(),
                                 plain.taps(), plain.output[1], plain.output[2],
                                 layout.row_begin(0, plain.stride[1], 0)});
        }
    });
}

/// Large strides or dilations must not make the phased plane much larger than the data.
bool suits_depthwise(const PlainConvolution& plain) {
    if (plain.groups != plain.in_channels || plain.spread != Extents{1, 1, 1}) return false;
    for (size_t axis = 0; axis < 3; ++axis)
        if (plain.stride[axis] > 16 || (plain.kernel[axis] - 1) * plain.dilation[axis] > plain.input[axis] + 64)
            return false;
    return plain.taps() <= 4096;
}

}  // namespace

template <class T>
void convolve(const PlainConvolution& plain, const T* data, const T* weight, T* result, ThreadPool& threads) {
    if (plain.batch * plain.out_channels * plain.output_plane() == 0) return;
    if (suits_depthwise(plain)) convolve_depthwise(plain, data, weight, result, threads);
    else convolve_by_gemm(plain, data, weight, result, threads);
}

#define PARTITA_INSTANTIATE(T)                                                      \
    template void flip_transposed_weight(const ConvolutionGeometry&, const T*, T*); \
    template void convolve(const PlainConvolution&, const T*, const T*, T*, ThreadPool&);
PARTITA_INSTANTIATE(float)
PARTITA_INSTANTIATE(double)
PARTITA_INSTANTIATE(uint32_t)
PARTITA_INSTANTIATE(uint64_t)
#undef PARTITA_INSTANTIATE

}  // namespace partita
