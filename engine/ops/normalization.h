// Normalization over some axes of a dense tensor, for layer_norm, rms_norm, instance_norm, group_norm and l2_normalize.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/support/thread_pool.h"

namespace partita {

/// The tensor as nested loops, outermost first.
struct NormalizationAxis {
    int64_t extent;
    bool reduced;                ///< whether means and variances include this axis
    int64_t channel_stride = 0;  ///< index step into gamma and beta along it
};

enum class NormalizationKind {
    Standardize,     ///< subtract the mean, divide by sqrt(variance + epsilon)
    RootMeanSquare,  ///< divide by sqrt(mean of squares + epsilon)
    UnitLength,      ///< divide by sqrt(max(sum of squares, epsilon))
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

/// T is float or double. Sums are computed in double. Parallel over the outermost kept axes.
template <class T>
void normalize(const Normalization<T>& normalization, ThreadPool& threads);

}  // namespace partita
