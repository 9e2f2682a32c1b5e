// The backend `dnnl`: regions on oneDNN 2.6. Chains are fused into primitives, weights that keep their value are
// reordered once, values stay in the layouts that the primitives choose. Ops that oneDNN doesn't have run on the
// kernels of `default` inside the region, with a notice.
#pragma once

#include "engine/backends/backend.h"

namespace partita {

std::unique_ptr<Backend> make_dnnl_backend();

}  // namespace partita
