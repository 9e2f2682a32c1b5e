#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> annotation_ops() { return {}; }

}  // namespace partita
