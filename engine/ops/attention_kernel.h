// softmax(steps(Q K^T)) V without the square matrix of scores: for a block of rows it is made for a block of keys at a
// time, with the largest score and the sum of powers so far; what was added up before is scaled when a larger score
// comes. Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018); Rabe and Staats,
// "Self-attention Does Not Need O(n^2) Memory" (2021).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ops/tile_kernels.h"

namespace partita {

/// Where the matrices of a tensor are: element (r, c) of item i is at starts[i] + r * row_stride + c * column_stride.
struct MatrixPlaces {
    std::vector<int64_t> starts;
    int64_t row_stride = 0, column_stride = 0;
};

/// What is done to the scores before the softmax.
struct ScoreStep {
    enum class Kind : uint8_t {
        Linear,  ///< factor * x + shift
        Tanh,
        Add,  ///< plus a matrix: that number among those given
    };
    Kind kind = Kind::Linear;
    float factor = 1, shift = 0;
    size_t matrix = 0;
    MatrixPlaces places = {};  ///< a stride of 0 repeats a row or column
};

/// `items` products: rows x depth times depth x keys, then rows x keys times keys x width.
struct AttentionShape {
    int64_t items = 0, rows = 0, keys = 0, depth = 0, width = 0;
    MatrixPlaces query;   ///< rows x depth, with a column stride of 1
    MatrixPlaces key;     ///< keys x depth
    MatrixPlaces value;   ///< keys x width
    MatrixPlaces result;  ///< rows x width, with a column stride of 1
    std::vector<ScoreStep> steps;

    /// Returns the number of elements that keys and values take in panels.
    int64_t packed_elements() const;
};

struct AttentionData {
    const float *query, *key, *value;
    float* result;
    std::span<const float* const> matrices;  ///< of the steps
    float* packed;                           ///< aligned to 64 bytes
};

/// As in exact arithmetic, a row without a finite score gives NaN.
void attend(const AttentionShape& shape, const AttentionData& data, const ParallelLoop& parallel);

}  // namespace partita
