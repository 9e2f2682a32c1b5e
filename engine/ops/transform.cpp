#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> transform_ops() { return {}; }

}  // namespace partita
