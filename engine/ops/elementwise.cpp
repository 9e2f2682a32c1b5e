#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> elementwise_ops() { return {}; }

}  // namespace partita
