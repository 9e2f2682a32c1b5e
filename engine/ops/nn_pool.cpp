#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> nn_pool_ops() { return {}; }

}  // namespace partita
