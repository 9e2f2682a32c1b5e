#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> nn_activation_ops() { return {}; }

}  // namespace partita
