// softmax(steps(Q K^T)) V without the square matrix of scores: for a block of rows it is made for a block of keys at a
// time, with the largest score and the sum of powers so far; what was added up before is scaled when a larger score
// comes. Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018); Rabe and Staats,
// "Self-attention Does Not Need O(n^2) Memory" (2021).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ops/tile_kernels.h"

namespace partita {

/// Where the matrices of a tensor are: element (r, c) of item i is at starts[i] + r * row_stride + c * column_stride.
struct MatrixPlaces {
    std::vector<int64_t> starts;
    int64_t row_stride = 0, column_stride = 0;
    int64_t head_stride = 0;  ///< for matrices of score steps: from one head of an item to the next
};

/// What is done to the scores before the softmax.
struct ScoreStep {
    enum class Kind : uint8_t {
        Linear,  ///< factor * x + shift
        Tanh,
        Add,   ///< plus a matrix: that number among those given
        Hide,  ///< keys whose byte in `seen` is 0 are not seen; at most one such step, the last one
    };
    Kind kind = Kind::Linear;
    double factor = 1, shift = 0;
    size_t matrix = 0;
    MatrixPlaces places = {};  ///< a stride of 0 repeats a row or column
};

/// `items` products: rows x depth times depth x keys, then rows x keys times keys x width. The rows of an item are
/// those of one head after another, which share the keys.
struct AttentionShape {
    int64_t items = 0, rows = 0, keys = 0, depth = 0, width = 0;
    int64_t head_rows = 0;                 ///< rows of one head
    std::optional<int64_t> causal_offset;  ///< row r of a head sees the keys up to r + offset; none: all
    MatrixPlaces query;                    ///< rows x depth, with a column stride of 1
    MatrixPlaces key;                      ///< keys x depth
    MatrixPlaces value;                    ///< keys x width
    MatrixPlaces result;                   ///< rows x width, with a column stride of 1
    std::vector<ScoreStep> steps;

    /// Returns the number of elements that keys and values take in panels; 0 for so few rows that they are read in
    /// place.
    int64_t packed_elements() const;
};

/// T is float or double.
template <class T>
struct AttentionData {
    const T *query, *key, *value;
    T* result;
    std::span<const T* const> matrices;  ///< of the steps
    T* packed = nullptr;                 ///< aligned to 64 bytes; of float only
    const uint8_t* seen = nullptr;       ///< for a step that hides
};

/// A row that sees no key gives zeros. As in exact arithmetic, one whose scores are all -infinity gives NaN.
void attend(const AttentionShape& shape, const AttentionData<float>& data, const ParallelLoop& parallel);
/// Keys and values have column strides of 1.
void attend(const AttentionShape& shape, const AttentionData<double>& data, const ParallelLoop& parallel);

}  // namespace partita
