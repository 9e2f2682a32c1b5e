// Normalization over some axes as loops in C; see normalization.h.
#pragma once

#include "engine/ops/normalization.h"
#include "engine/ops/op.h"

namespace partita {

/// gamma and beta are the second and third of three inputs, and `scale` and `center` say whether they are used; of two,
/// the second is gamma.
Status write_normalization_in_c(const CLoops& loops, const std::vector<NormalizationAxis>& axes, NormalizationKind kind,
                                double epsilon);

}  // namespace partita
