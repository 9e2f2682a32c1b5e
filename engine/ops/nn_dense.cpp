#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> nn_dense_ops() { return {}; }

}  // namespace partita
