#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> image_ops() { return {}; }

}  // namespace partita
