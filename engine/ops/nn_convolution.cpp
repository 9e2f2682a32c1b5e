#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> nn_convolution_ops() { return {}; }

}  // namespace partita
