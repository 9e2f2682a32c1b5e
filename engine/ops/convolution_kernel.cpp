#include "engine/ops/convolution_kernel.h"

#include <algorithm>
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

/// A run of result elements along the last axis: where it stands in its panel and in the image of results.
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

/// The index of the datum at a place of the spread data, or -1 where there is none.
inline int64_t datum_index(int64_t place, int64_t spread, int64_t extent) {
    if (place < 0 || (spread != 1 && place % spread != 0)) return -1;
    int64_t index = place / spread;
    return index < extent ? index : -1;
}

int64_t divide_up(int64_t a, int64_t b) { return a <= 0 ? -(-a / b) : (a + b - 1) / b; }

/// Gathers the elements that one tap sees along a run; `source` is the row of data, null where that lies outside.
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
    int64_t begin = std::clamp<int64_t>(divide_up(-first_place, stride), 0, length);
    int64_t end = std::clamp<int64_t>(divide_up(extent - first_place, stride), begin, length);
    std::fill(to, to + begin, T(0));
    const T* from = source + first_place;
    if (stride == 1) std::copy(from + begin, from + end, to + begin);
    else if (stride == 2)
        for (int64_t i = begin; i < end; ++i) to[i] = from[2 * i];
    else
        for (int64_t i = begin; i < end; ++i) to[i] = from[i * stride];
    std::fill(to + end, to + length, T(0));
}

/// Fills a panel of the matrix of windows: row (channel, tap), column = position in the result.
template <class T>
void gather_windows(const PlainConvolution& plain, const T* data, const GemmPanel<T>& piece) {
    thread_local std::vector<Run> runs;
    split_into_runs(plain, piece.column, piece.count, runs);
    int64_t taps = plain.taps(), kernel_plane = plain.kernel[1] * plain.kernel[2];
    T* to = piece.panel;
    for (int64_t k = piece.depth_begin; k < piece.depth_end; ++k, to += piece.width) {
        const T* channel = data + k / taps * plain.input_plane();
        int64_t tap = k % taps;
        int64_t tap_depth = tap / kernel_plane * plain.dilation[0] + plain.offset[0];
        int64_t tap_row = tap / plain.kernel[2] % plain.kernel[1] * plain.dilation[1] + plain.offset[1];
        int64_t tap_column = tap % plain.kernel[2] * plain.dilation[2] + plain.offset[2];
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
        gemm<T>(batch, [&](const GemmPanel<T>& piece) { gather_windows(plain, data + piece.item * item_stride, piece); },
                threads);
}

// ---- Depthwise ----

/// A padded copy of a plane of the data in which every tap's elements stand next to each other whatever the stride:
/// each row is kept as `phases` rows of the elements whose columns are equal modulo the stride.
struct PhasedPlane {
    int64_t depth, rows, phases, width;

    explicit PhasedPlane(const PlainConvolution& plain) {
        auto covered = [&plain](size_t axis) {
            return (plain.output[axis] - 1) * plain.stride[axis] + (plain.kernel[axis] - 1) * plain.dilation[axis] + 1;
        };
        depth = covered(0);
        rows = covered(1);
        phases = plain.stride[2];
        width = (covered(2) + phases - 1) / phases;
    }
    int64_t size() const { return depth * rows * phases * width; }
    int64_t row_begin(int64_t z, int64_t y, int64_t phase) const { return ((z * rows + y) * phases + phase) * width; }
};

template <class T>
void fill_phased_plane(const PlainConvolution& plain, const PhasedPlane& layout, const T* data, T* plane) {
    std::fill_n(plane, layout.size(), T(0));
    for (int64_t z = 0; z < layout.depth; ++z)
        for (int64_t y = 0; y < layout.rows; ++y) {
            int64_t source_z = z + plain.offset[0], source_y = y + plain.offset[1];
            if (source_z < 0 || source_z >= plain.input[0] || source_y < 0 || source_y >= plain.input[1]) continue;
            const T* source = data + (source_z * plain.input[1] + source_y) * plain.input[2];
            for (int64_t phase = 0; phase < layout.phases; ++phase) {
                // Element i of this phase is the datum at column i * phases + phase + offset.
                int64_t shift = phase + plain.offset[2];
                int64_t begin = std::clamp<int64_t>(divide_up(-shift, layout.phases), 0, layout.width);
                int64_t end = std::clamp<int64_t>(divide_up(plain.input[2] - shift, layout.phases), begin, layout.width);
                T* to = plane + layout.row_begin(z, y, phase);
                for (int64_t i = begin; i < end; ++i) to[i] = source[i * layout.phases + shift];
            }
        }
}

#define PARTITA_TAPS_BODY(BYTES)                                                                                   \
    constexpr int64_t lanes = BYTES / int64_t(sizeof(T));                                                          \
    typedef T LooseVector __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));                      \
    int64_t x = 0;                                                                                                 \
    for (; x + 2 * lanes <= width; x += 2 * lanes) {                                                               \
        LooseVector left{}, right{};                                                                               \
        for (int64_t tap = 0; tap < taps; ++tap) {                                                                 \
            left += weight[tap] * *reinterpret_cast<const LooseVector*>(rows[tap] + x);                            \
            right += weight[tap] * *reinterpret_cast<const LooseVector*>(rows[tap] + x + lanes);                   \
        }                                                                                                          \
        *reinterpret_cast<LooseVector*>(result + x) = left;                                                        \
        *reinterpret_cast<LooseVector*>(result + x + lanes) = right;                                               \
    }                                                                                                              \
    for (; x + lanes <= width; x += lanes) {                                                                       \
        LooseVector sum{};                                                                                         \
        for (int64_t tap = 0; tap < taps; ++tap)                                                                   \
            sum += weight[tap] * *reinterpret_cast<const LooseVector*>(rows[tap] + x);                             \
        *reinterpret_cast<LooseVector*>(result + x) = sum;                                                         \
    }                                                                                                              \
    for (; x < width; ++x) {                                                                                       \
        T sum = T(0);                                                                                              \
        for (int64_t tap = 0; tap < taps; ++tap) sum += weight[tap] * rows[tap][x];                                \
        result[x] = sum;                                                                                           \
    }

/// result[x] = sum over taps of weight[tap] * rows[tap][x].
template <class T>
PARTITA_TARGET_AVX512 void sum_taps_avx512(const T* const* rows, const T* weight, int64_t taps, T* result, int64_t width) {
    PARTITA_TAPS_BODY(64)
}

template <class T>
PARTITA_TARGET_AVX2 void sum_taps_avx2(const T* const* rows, const T* weight, int64_t taps, T* result, int64_t width) {
    PARTITA_TAPS_BODY(32)
}

template <class T>
void sum_taps_baseline(const T* const* rows, const T* weight, int64_t taps, T* result, int64_t width) {
    PARTITA_TAPS_BODY(16)
}

#undef PARTITA_TAPS_BODY

template <class T>
auto sum_taps_kernel() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return sum_taps_avx512<T>;
        case VectorUnit::Avx2: return sum_taps_avx2<T>;
        case VectorUnit::Baseline: break;
    }
    return sum_taps_baseline<T>;
}

/// One channel of the result from its phased plane.
template <class T, class SumTaps>
void convolve_plane(const PlainConvolution& plain, const PhasedPlane& layout, const T* plane, const T* weight, T* result,
                    std::vector<const T*>& rows, SumTaps sum_taps) {
    for (int64_t z = 0; z < plain.output[0]; ++z)
        for (int64_t y = 0; y < plain.output[1]; ++y) {
            size_t tap = 0;
            for (int64_t kz = 0; kz < plain.kernel[0]; ++kz)
                for (int64_t ky = 0; ky < plain.kernel[1]; ++ky)
                    for (int64_t kx = 0; kx < plain.kernel[2]; ++kx) {
                        int64_t shift = kx * plain.dilation[2];
                        rows[tap++] = plane +
                                      layout.row_begin(z * plain.stride[0] + kz * plain.dilation[0],
                                                       y * plain.stride[1] + ky * plain.dilation[1], shift % layout.phases) +
                                      shift / layout.phases;
                    }
            sum_taps(rows.data(), weight, plain.taps(), result + (z * plain.output[1] + y) * plain.output[2],
                     plain.output[2]);
        }
}

template <class T>
void convolve_depthwise(const PlainConvolution& plain, const T* data, const T* weight, T* result, ThreadPool& threads) {
    PhasedPlane layout(plain);
    int64_t multiplier = plain.out_channels / plain.in_channels;
    auto sum_taps = sum_taps_kernel<T>();
    int64_t work = plain.output_plane() * plain.taps() * multiplier;
    int64_t grain = std::max<int64_t>(1, 100000 / std::max<int64_t>(1, work));
    threads.parallel_for(plain.batch * plain.in_channels, grain, [&](int64_t begin, int64_t end) {
        std::vector<T> plane(static_cast<size_t>(layout.size()));
        std::vector<const T*> rows(static_cast<size_t>(plain.taps()));
        for (int64_t index = begin; index < end; ++index) {
            fill_phased_plane(plain, layout, data + index * plain.input_plane(), plane.data());
            int64_t channel = index % plain.in_channels;
            for (int64_t i = 0; i < multiplier; ++i)
                convolve_plane(plain, layout, plane.data(), weight + (channel * multiplier + i) * plain.taps(),
                               result + (index * multiplier + i) * plain.output_plane(), rows, sum_taps);
        }
    });
}

/// The phased plane must not be much larger than the data, which large strides or dilations could make it.
bool suits_depthwise(const PlainConvolution& plain) {
    if (plain.groups != plain.in_channels || plain.spread != Extents{1, 1, 1}) return false;
    for (size_t axis = 0; axis < 3; ++axis)
        if (plain.stride[axis] > 16 || (plain.kernel[axis] - 1) * plain.dilation[axis] > plain.input[axis] + 64) return false;
    return plain.taps() <= 4096;
}

}  // namespace

template <class T>
void convolve(const PlainConvolution& plain, const T* data, const T* weight, T* result, ThreadPool& threads) {
    if (plain.batch * plain.out_channels * plain.output_plane() == 0) return;
    if (suits_depthwise(plain)) convolve_depthwise(plain, data, weight, result, threads);
    else convolve_by_gemm(plain, data, weight, result, threads);
}

#define PARTITA_INSTANTIATE(T)                                                                 \
    template void flip_transposed_weight(const ConvolutionGeometry&, const T*, T*);             \
    template void convolve(const PlainConvolution&, const T*, const T*, T*, ThreadPool&);
PARTITA_INSTANTIATE(float)
PARTITA_INSTANTIATE(double)
PARTITA_INSTANTIATE(uint32_t)
PARTITA_INSTANTIATE(uint64_t)
#undef PARTITA_INSTANTIATE

}  // namespace partita
