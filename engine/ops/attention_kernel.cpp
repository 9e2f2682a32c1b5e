#include "engine/ops/attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "engine/ops/tile_kernels.h"
#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

// A block of scores stays in the second-level cache beside its panels: 48 rows of 256 keys are 48 KiB. Both are
// multiples of what the inner kernels take at a time.
constexpr int64_t kBlockRows = 48, kBlockKeys = 256, kKeysStep = 32;
constexpr int64_t kLanes = 16;  ///< of the loops that are vectorised
/// For fewer rows, as when one token is decoded, packing keys and values costs more than it saves.
constexpr int64_t kFewestPacked = 8;
template <class T>
constexpr T kLowest = -std::numeric_limits<T>::infinity();

int64_t rounded_up(int64_t count, int64_t step) { return (count + step - 1) / step * step; }

/// Blocks are alike: one of a few keys takes as many passes as a large one.
int64_t keys_of_block(int64_t keys) {
    const int64_t blocks = std::max<int64_t>(1, (keys + kBlockKeys / 2) / kBlockKeys);
    return rounded_up((keys + blocks - 1) / blocks, kKeysStep);
}

PARTITA_INLINED float power(float x) { return power_of(x); }
PARTITA_INLINED double power(double x) { return std::exp(x); }

/// Of one row: what was added up so far.
template <class T>
struct RowSoFar {
    T largest = kLowest<T>, sum = 0;
    bool seen = false;  ///< whether it saw a key
};

/// Makes scores to powers, relative to the largest so far. Returns by what earlier results are to be multiplied.
template <class T>
PARTITA_INLINED T take_scores(T* __restrict scores, int64_t count, RowSoFar<T>& row) {
    T most[kLanes], sums[kLanes] = {};
    for (int64_t lane = 0; lane < kLanes; ++lane) most[lane] = row.largest;
    for (int64_t j = 0; j < count; j += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane)
            most[lane] = scores[j + lane] > most[lane] ? scores[j + lane] : most[lane];
    T largest = most[0];
    for (int64_t lane = 1; lane < kLanes; ++lane) largest = most[lane] > largest ? most[lane] : largest;
    const T base = largest == kLowest<T> ? 0 : largest;  // so far all are masked
    for (int64_t j = 0; j < count; j += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            const T share = power(scores[j + lane] - base);
            scores[j + lane] = share;
            sums[lane] += share;
        }
    T sum = 0;
    for (T one : sums) sum += one;
    const T factor = power(row.largest - base);
    row.sum = row.sum * factor + sum;
    row.largest = largest;
    return factor;
}

template <class T>
PARTITA_INLINED void add_matrix(T* __restrict scores, int64_t count, const T* matrix, int64_t stride) {
    if (stride == 1) {
        for (int64_t j = 0; j < count; ++j) scores[j] += matrix[j];
    } else {
        for (int64_t j = 0; j < count; ++j) scores[j] += matrix[j * stride];
    }
}

/// Returns whether any key is seen.
template <class T>
PARTITA_INLINED bool hide(T* __restrict scores, int64_t count, const uint8_t* seen, int64_t stride) {
    uint8_t any = 0;
    for (int64_t j = 0; j < count; ++j) {
        any |= seen[j * stride];
        scores[j] = seen[j * stride] ? scores[j] : kLowest<T>;
    }
    return any != 0;
}

template <class T>
struct ScoreBlock {
    const AttentionShape& shape;
    const AttentionData<T>& data;
    int64_t item, row, rows, key, keys;
    int64_t stride;
    T* scores;
    int64_t sum_stride;
    T* sums;  ///< rows x width: the products with the values so far
    RowSoFar<T>* so_far;
};

/// Returns how many of the keys from `key` on a row may see by its place.
PARTITA_INLINED int64_t keys_by_place(const AttentionShape& shape, int64_t row, int64_t key, int64_t keys) {
    if (!shape.causal_offset) return keys;
    return std::clamp<int64_t>(row % shape.head_rows + *shape.causal_offset + 1 - key, 0, keys);
}

/// Does the steps on the scores of a row. Returns the number of them that count; no key behind is seen.
template <class T>
PARTITA_INLINED int64_t do_steps(const ScoreBlock<T>& block, int64_t row, T* scores, bool& seen) {
    const int64_t keys = keys_by_place(block.shape, row, block.key, block.keys);
    bool any = keys > 0;
    for (const ScoreStep& step : block.shape.steps) {
        const MatrixPlaces& places = step.places;
        const auto start = [&] {
            return places.starts[size_t(block.item)] + row / block.shape.head_rows * places.head_stride +
                   row % block.shape.head_rows * places.row_stride + block.key * places.column_stride;
        };
        switch (step.kind) {
            case ScoreStep::Kind::Linear: {
                const T factor = T(step.factor), shift = T(step.shift);
                for (int64_t j = 0; j < keys; ++j) scores[j] = scores[j] * factor + shift;
                break;
            }
            case ScoreStep::Kind::Tanh:
                for (int64_t j = 0; j < keys; ++j) scores[j] = std::tanh(scores[j]);
                break;
            case ScoreStep::Kind::Add:
                add_matrix(scores, keys, block.data.matrices[step.matrix] + start(), places.column_stride);
                break;
            case ScoreStep::Kind::Hide:
                any = hide(scores, keys, block.data.seen + start(), places.column_stride);
                break;
        }
    }
    seen |= any;
    return keys;
}

template <class T>
PARTITA_INLINED void finish_scores(const ScoreBlock<T>& block) {
    const int64_t padded = rounded_up(block.keys, kLanes), width = block.shape.width;
    for (int64_t r = 0; r < block.rows; ++r) {
        T* scores = block.scores + r * block.stride;
        const int64_t keys = do_steps(block, block.row + r, scores, block.so_far[r].seen);
        for (int64_t j = keys; j < padded; ++j) scores[j] = kLowest<T>;
        const T factor = take_scores(scores, padded, block.so_far[r]);
        T* sums = block.sums + r * block.sum_stride;
        if (block.key > 0 && factor != 1)
            for (int64_t j = 0; j < width; ++j) sums[j] *= factor;
    }
}

PARTITA_TARGET_AVX512 void finish_scores_avx512(const ScoreBlock<float>& block) { finish_scores(block); }
PARTITA_TARGET_AVX2 void finish_scores_avx2(const ScoreBlock<float>& block) { finish_scores(block); }
void finish_scores_baseline(const ScoreBlock<float>& block) { finish_scores(block); }

auto score_kernel() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return finish_scores_avx512;
        case VectorUnit::Avx2: return finish_scores_avx2;
        case VectorUnit::Baseline: break;
    }
    return finish_scores_baseline;
}

// --- keys and values in panels ----------------------------------------------------------------------------------

/// Keys and values of an item in panels as wide as the inner kernel's: each is a product's second operand. The last one
/// is as narrow as there are kernels for what is left.
struct Panels {
    int64_t width;                         ///< of a panel, but the last
    int64_t of_keys, of_values;            ///< their number
    int64_t key_elements, value_elements;  ///< of one panel

    explicit Panels(const AttentionShape& shape)
        : width(tile_kernels<float>().width), of_keys((shape.keys + width - 1) / width),
          of_values((shape.width + width - 1) / width), key_elements(shape.depth * width),
          value_elements(shape.keys * width) {}
    int64_t of_item() const { return of_keys * key_elements + of_values * value_elements; }
};

void pack(const AttentionShape& shape, const AttentionData<float>& data, const Panels& panels,
          const ParallelLoop& parallel) {
    const int64_t in_item = panels.of_keys + panels.of_values;
    parallel(shape.items * in_item, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t item = task / in_item, number = task % in_item;
            float* packed = data.packed + item * panels.of_item();
            if (number < panels.of_keys) {
                const int64_t key = number * panels.width, width = tile_kernels<float>(shape.keys - key).width;
                pack_panel(data.key + shape.key.starts[size_t(item)] + key * shape.key.row_stride,
                           shape.key.column_stride, shape.key.row_stride, shape.depth,
                           std::min(width, shape.keys - key), width, packed + number * panels.key_elements);
                continue;
            }
            const int64_t place = number - panels.of_keys, column = place * panels.width;
            const int64_t width = tile_kernels<float>(shape.width - column).width;
            pack_panel(data.value + shape.value.starts[size_t(item)] + column * shape.value.column_stride,
                       shape.value.row_stride, shape.value.column_stride, shape.keys,
                       std::min(width, shape.width - column), width,
                       packed + panels.of_keys * panels.key_elements + place * panels.value_elements);
        }
    });
}

/// Adds to a block of rows what a block of keys contributes.
void attend_to_panels(const ScoreBlock<float>& block, const Panels& panels) {
    static const auto finish = score_kernel();
    const AttentionShape& shape = block.shape;
    const float* packed = block.data.packed + block.item * panels.of_item();
    const float* query = block.data.query + shape.query.starts[size_t(block.item)] + block.row * shape.query.row_stride;
    // Rows of scores and sums have room for whole panels: stores of parts take longer.
    for (int64_t j = 0; j < block.keys; j += panels.width) {
        const TileKernels<float>& kernels = tile_kernels<float>(shape.keys - block.key - j);
        multiply_rows(kernels,
                      {query, shape.query.row_stride, packed + (block.key + j) / panels.width * panels.key_elements,
                       shape.depth, block.scores + j, block.stride, kernels.width, false},
                      block.rows);
    }
    finish(block);
    const float* values = packed + panels.of_keys * panels.key_elements;
    for (int64_t j = 0; j < shape.width; j += panels.width) {
        const TileKernels<float>& kernels = tile_kernels<float>(shape.width - j);
        multiply_rows(
            kernels,
            {block.scores, block.stride, values + j / panels.width * panels.value_elements + block.key * kernels.width,
             block.keys, block.sums + j, block.sum_stride, kernels.width, block.key > 0},
            block.rows);
    }
}

// --- keys and values in place -----------------------------------------------------------------------------------

template <class T>
PARTITA_INLINED T dot_product(const T* a, const T* b, int64_t count) {
    T sums[kLanes] = {}, sum = 0;
    const int64_t whole = count / kLanes * kLanes;
    for (int64_t j = 0; j < whole; j += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[j + lane] * b[j + lane];
    for (T one : sums) sum += one;
    for (int64_t j = whole; j < count; ++j) sum += a[j] * b[j];
    return sum;
}

template <class T>
PARTITA_INLINED void attend_in_place(const ScoreBlock<T>& block) {
    const AttentionShape& shape = block.shape;
    const T* query = block.data.query + shape.query.starts[size_t(block.item)] + block.row * shape.query.row_stride;
    const T* key = block.data.key + shape.key.starts[size_t(block.item)] + block.key * shape.key.row_stride;
    const T* value = block.data.value + shape.value.starts[size_t(block.item)] + block.key * shape.value.row_stride;
    for (int64_t j = 0; j < block.keys; ++j)
        for (int64_t r = 0; r < block.rows; ++r)
            block.scores[r * block.stride + j] =
                dot_product(query + r * shape.query.row_stride, key + j * shape.key.row_stride, shape.depth);
    finish_scores(block);
    if (block.key == 0) std::fill_n(block.sums, block.rows * block.sum_stride, T(0));
    for (int64_t j = 0; j < block.keys; ++j)
        for (int64_t r = 0; r < block.rows; ++r) {
            const T share = block.scores[r * block.stride + j];
            const T* __restrict from = value + j * shape.value.row_stride;
            T* __restrict sums = block.sums + r * block.sum_stride;
            for (int64_t c = 0; c < shape.width; ++c) sums[c] += share * from[c];
        }
}

PARTITA_TARGET_AVX512 void attend_in_place_avx512(const ScoreBlock<float>& block) { attend_in_place(block); }
PARTITA_TARGET_AVX2 void attend_in_place_avx2(const ScoreBlock<float>& block) { attend_in_place(block); }
void attend_in_place_baseline(const ScoreBlock<float>& block) { attend_in_place(block); }

auto in_place_kernel() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return attend_in_place_avx512;
        case VectorUnit::Avx2: return attend_in_place_avx2;
        case VectorUnit::Baseline: break;
    }
    return attend_in_place_baseline;
}

// --- blocks of rows ---------------------------------------------------------------------------------------------

template <class T>
void write_rows(const ScoreBlock<T>& block) {
    const AttentionShape& shape = block.shape;
    T* result = block.data.result + shape.result.starts[size_t(block.item)] + block.row * shape.result.row_stride;
    for (int64_t r = 0; r < block.rows; ++r, result += shape.result.row_stride) {
        if (!block.so_far[r].seen) {
            std::fill_n(result, shape.width, T(0));
            continue;
        }
        const T factor = 1 / block.so_far[r].sum;
        for (int64_t j = 0; j < shape.width; ++j) result[j] = block.sums[r * block.sum_stride + j] * factor;
    }
}

/// Returns how many keys a block of rows may see by their places.
int64_t keys_of_rows(const AttentionShape& shape, int64_t row, int64_t rows) {
    const int64_t head_end = (row / shape.head_rows + 1) * shape.head_rows;
    return keys_by_place(shape, std::min(row + rows, head_end) - 1, 0, shape.keys);
}

/// `attend_to_keys` adds to a block of rows what a block of keys contributes.
template <class T, class AttendToKeys>
void attend_by_blocks(const AttentionShape& shape, const AttentionData<T>& data, const ParallelLoop& parallel,
                      const AttendToKeys& attend_to_keys) {
    const int64_t blocks = (shape.rows + kBlockRows - 1) / kBlockRows;
    const int64_t most_keys = keys_of_block(shape.keys);
    const int64_t sum_stride = rounded_up(shape.width, kLanes);
    parallel(shape.items * blocks, [&](int64_t begin, int64_t end) {
        const auto scores = aligned_array<T>(kBlockRows * most_keys), sums = aligned_array<T>(kBlockRows * sum_stride);
        for (int64_t task = begin; task < end; ++task) {
            RowSoFar<T> so_far[kBlockRows];
            const int64_t row = task % blocks * kBlockRows, rows = std::min(kBlockRows, shape.rows - row);
            ScoreBlock<T> block{shape, data,      task / blocks, row,        rows,       0,
                                0,     most_keys, scores.get(),  sum_stride, sums.get(), so_far};
            const int64_t keys = keys_of_rows(shape, row, rows);
            for (; block.key < keys; block.key += most_keys) {
                block.keys = std::min(most_keys, keys - block.key);
                attend_to_keys(block);
            }
            write_rows(block);
        }
    });
}

}  // namespace

int64_t AttentionShape::packed_elements() const {
    const bool in_place = rows < kFewestPacked && key.column_stride == 1 && value.column_stride == 1;
    return in_place ? 0 : items * Panels(*this).of_item();
}

void attend(const AttentionShape& shape, const AttentionData<float>& data, const ParallelLoop& parallel) {
    if (shape.packed_elements() == 0) {
        static const auto attend_to_keys = in_place_kernel();
        attend_by_blocks(shape, data, parallel, attend_to_keys);
        return;
    }
    const Panels panels(shape);
    pack(shape, data, panels, parallel);
    attend_by_blocks(shape, data, parallel, [&](const ScoreBlock<float>& block) { attend_to_panels(block, panels); });
}

void attend(const AttentionShape& shape, const AttentionData<double>& data, const ParallelLoop& parallel) {
    attend_by_blocks(shape, data, parallel, [](const ScoreBlock<double>& block) { attend_in_place(block); });
}

}  // namespace partita
