// Normalisation over some axes as loops in C; see normalization.h.
#pragma once

#include "engine/ops/normalization.h"
#include "engine/ops/op.h"

namespace partita {

/// gamma and beta are the second and third input where there are three; `scale` and `center` say whether they count.
Status write_normalization_in_c(const CLoops& loops, const std::vector<NormalizationAxis>& axes, NormalizationKind kind,
                                double epsilon);

}  // namespace partita
