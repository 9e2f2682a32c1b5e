#include "engine/ops/attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "engine/ops/tile_kernels.h"
#include "engine/ops/vector_math.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

// A block of scores stays in the second-level cache beside its panels: 48 rows of 256 keys are 48 KiB. Both are
// multiples of what the inner kernels take at a time.
constexpr int64_t kBlockRows = 48, kBlockKeys = 256;
constexpr int64_t kLanes = 16;  ///< of the loops that are vectorised
constexpr float kLowest = -std::numeric_limits<float>::infinity();

int64_t rounded_up(int64_t count, int64_t step) { return (count + step - 1) / step * step; }

/// Of one row: what was added up so far.
struct RowSoFar {
    float largest = kLowest, sum = 0;
};

/// Makes scores to powers, relative to the largest so far. Returns by what earlier results are to be multiplied.
PARTITA_INLINED float take_scores(float* __restrict scores, int64_t count, RowSoFar& row) {
    float most[kLanes], sums[kLanes] = {};
    for (int64_t lane = 0; lane < kLanes; ++lane) most[lane] = row.largest;
    for (int64_t j = 0; j < count; j += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane)
            most[lane] = scores[j + lane] > most[lane] ? scores[j + lane] : most[lane];
    float largest = most[0];
    for (int64_t lane = 1; lane < kLanes; ++lane) largest = most[lane] > largest ? most[lane] : largest;
    const float base = largest == kLowest ? 0 : largest;  // so far all are masked
    for (int64_t j = 0; j < count; j += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            const float power = power_of(scores[j + lane] - base);
            scores[j + lane] = power;
            sums[lane] += power;
        }
    float sum = 0;
    for (float one : sums) sum += one;
    const float factor = power_of(row.largest - base);
    row.sum = row.sum * factor + sum;
    row.largest = largest;
    return factor;
}

PARTITA_INLINED void add_matrix(float* __restrict scores, int64_t count, const float* matrix, int64_t stride) {
    if (stride == 1) {
        for (int64_t j = 0; j < count; ++j) scores[j] += matrix[j];
    } else {
        for (int64_t j = 0; j < count; ++j) scores[j] += matrix[j * stride];
    }
}

struct ScoreBlock {
    const AttentionShape& shape;
    const AttentionData& data;
    int64_t item, row, rows, key, keys;
    int64_t stride;
    float* scores;
    float* sums;  ///< rows x width: the products with the values so far
    RowSoFar* so_far;
};

PARTITA_INLINED void finish_scores(const ScoreBlock& block) {
    const int64_t padded = rounded_up(block.keys, kLanes), width = block.shape.width;
    for (int64_t r = 0; r < block.rows; ++r) {
        float* scores = block.scores + r * block.stride;
        for (const ScoreStep& step : block.shape.steps) {
            if (step.kind == ScoreStep::Kind::Linear) {
                const float factor = step.factor, shift = step.shift;
                for (int64_t j = 0; j < block.keys; ++j) scores[j] = scores[j] * factor + shift;
            } else if (step.kind == ScoreStep::Kind::Tanh) {
                for (int64_t j = 0; j < block.keys; ++j) scores[j] = std::tanh(scores[j]);
            } else {
                const MatrixPlaces& places = step.places;
                add_matrix(scores, block.keys,
                           block.data.matrices[step.matrix] + places.starts[size_t(block.item)] +
                               (block.row + r) * places.row_stride + block.key * places.column_stride,
                           places.column_stride);
            }
        }
        for (int64_t j = block.keys; j < padded; ++j) scores[j] = kLowest;
        const float factor = take_scores(scores, padded, block.so_far[r]);
        float* sums = block.sums + r * width;
        if (block.key > 0 && factor != 1)
            for (int64_t j = 0; j < width; ++j) sums[j] *= factor;
    }
}

PARTITA_TARGET_AVX512 void finish_scores_avx512(const ScoreBlock& block) { finish_scores(block); }
PARTITA_TARGET_AVX2 void finish_scores_avx2(const ScoreBlock& block) { finish_scores(block); }
void finish_scores_baseline(const ScoreBlock& block) { finish_scores(block); }

auto score_kernel() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return finish_scores_avx512;
        case VectorUnit::Avx2: return finish_scores_avx2;
        case VectorUnit::Baseline: break;
    }
    return finish_scores_baseline;
}

/// Keys and values of an item in panels as wide as the inner kernel's: each is a product's second operand.
struct Panels {
    int64_t width;                         ///< of a panel
    int64_t of_keys, of_values;            ///< their number
    int64_t key_elements, value_elements;  ///< of one panel

    explicit Panels(const AttentionShape& shape)
        : width(tile_kernels<float>().width), of_keys((shape.keys + width - 1) / width),
          of_values((shape.width + width - 1) / width), key_elements(shape.depth * width),
          value_elements(shape.keys * width) {}
    int64_t of_item() const { return of_keys * key_elements + of_values * value_elements; }
};

void pack(const AttentionShape& shape, const AttentionData& data, const Panels& panels, const ParallelLoop& parallel) {
    const int64_t in_item = panels.of_keys + panels.of_values;
    parallel(shape.items * in_item, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t item = task / in_item, number = task % in_item;
            float* packed = data.packed + item * panels.of_item();
            if (number < panels.of_keys) {
                const int64_t key = number * panels.width;
                pack_panel(data.key + shape.key.starts[size_t(item)] + key * shape.key.row_stride,
                           shape.key.column_stride, shape.key.row_stride, shape.depth,
                           std::min(panels.width, shape.keys - key), panels.width,
                           packed + number * panels.key_elements);
                continue;
            }
            const int64_t place = number - panels.of_keys, column = place * panels.width;
            pack_panel(data.value + shape.value.starts[size_t(item)] + column * shape.value.column_stride,
                       shape.value.row_stride, shape.value.column_stride, shape.keys,
                       std::min(panels.width, shape.width - column), panels.width,
                       packed + panels.of_keys * panels.key_elements + place * panels.value_elements);
        }
    });
}

/// Adds to a block of rows what a block of keys contributes.
void attend_to_keys(const ScoreBlock& block, const Panels& panels) {
    static const auto finish = score_kernel();
    const TileKernels<float>& kernels = tile_kernels<float>();
    const AttentionShape& shape = block.shape;
    const float* packed = block.data.packed + block.item * panels.of_item();
    const float* query = block.data.query + shape.query.starts[size_t(block.item)] + block.row * shape.query.row_stride;
    for (int64_t j = 0; j < block.keys; j += panels.width)
        multiply_rows(kernels,
                      {query, shape.query.row_stride, packed + (block.key + j) / panels.width * panels.key_elements,
                       shape.depth, block.scores + j, block.stride, std::min(panels.width, block.keys - j), false},
                      block.rows);
    finish(block);
    const float* values = packed + panels.of_keys * panels.key_elements + block.key * panels.width;
    for (int64_t j = 0; j < shape.width; j += panels.width)
        multiply_rows(kernels,
                      {block.scores, block.stride, values + j / panels.width * panels.value_elements, block.keys,
                       block.sums + j, shape.width, std::min(panels.width, shape.width - j), block.key > 0},
                      block.rows);
}

void write_rows(const ScoreBlock& block) {
    const AttentionShape& shape = block.shape;
    float* result = block.data.result + shape.result.starts[size_t(block.item)] + block.row * shape.result.row_stride;
    for (int64_t r = 0; r < block.rows; ++r) {
        const float factor = 1 / block.so_far[r].sum;
        for (int64_t j = 0; j < shape.width; ++j)
            result[r * shape.result.row_stride + j] = block.sums[r * shape.width + j] * factor;
    }
}

}  // namespace

int64_t AttentionShape::packed_elements() const { return items * Panels(*this).of_item(); }

void attend(const AttentionShape& shape, const AttentionData& data, const ParallelLoop& parallel) {
    const Panels panels(shape);
    pack(shape, data, panels, parallel);
    const int64_t blocks = (shape.rows + kBlockRows - 1) / kBlockRows;
    const int64_t most_keys = std::min(kBlockKeys, rounded_up(shape.keys, kLanes));
    parallel(shape.items * blocks, [&](int64_t begin, int64_t end) {
        const auto scores = aligned_array<float>(kBlockRows * most_keys),
                   sums = aligned_array<float>(kBlockRows * shape.width);
        for (int64_t task = begin; task < end; ++task) {
            RowSoFar so_far[kBlockRows];
            const int64_t row = task % blocks * kBlockRows;
            ScoreBlock block{shape, data, task / blocks, row,          std::min(kBlockRows, shape.rows - row),
                             0,     0,    most_keys,     scores.get(), sums.get(),
                             so_far};
            for (; block.key < shape.keys; block.key += kBlockKeys) {
                block.keys = std::min(kBlockKeys, shape.keys - block.key);
                attend_to_keys(block, panels);
            }
            write_rows(block);
        }
    });
}

}  // namespace partita
