// Normalisation over some axes of a dense tensor: what layer_norm, instance_norm, group_norm and l2_normalize share.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

/// The tensor as nested loops, outermost first.
struct NormalizationAxis {
    int64_t extent;
    bool reduced;                ///< whether means and variances run over this axis
    int64_t channel_stride = 0;  ///< what a step along it adds to the index into gamma and beta
};

enum class NormalizationKind {
    Standardize,  ///< subtract the mean, divide by sqrt(variance + epsilon)
    UnitLength,   ///< divide by sqrt(max(sum of squares, epsilon))
};

template <class T>
struct Normalization {
    std::vector<NormalizationAxis> axes;
    NormalizationKind kind = NormalizationKind::Standardize;
    double epsilon = 0;
    const T* data = nullptr;
    const T* gamma = nullptr;  ///< null: 1
    const T* beta = nullptr;   ///< null: 0
    T* result = nullptr;
};

/// T is float or double. Sums are computed in double. Parallel over the kept axes that stand outermost.
template <class T>
void normalize(const Normalization<T>& normalization, ThreadPool& threads);

}  // namespace partita
