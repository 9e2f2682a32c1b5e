// The family of ops on regions of images.
#pragma once

#include <vector>

#include "engine/ops/op.h"

namespace partita {

std::vector<OpRecord> vision_ops();  ///< vision.cpp: roi_align

}  // namespace partita
