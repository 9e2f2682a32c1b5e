#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> qnn_ops() { return {}; }

}  // namespace partita
