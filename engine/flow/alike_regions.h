// Regions that are alike: of one backend, with the same operators and attributes in the same order. The layers of a
// deep model have the same regions again and again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/flow/flow.h"

namespace partita {

/// Returns a number for each region, equal where they are alike. Linear in the regions' expressions.
std::vector<uint64_t> region_likeness(const FlowResult& flow);

/// Regions that are alike, in the order of the flow.
struct AlikeRegions {
    std::vector<uint32_t> regions;  ///< indices into FlowResult::regions, at least one
    std::string operators;          ///< "nn.dense, add, nn.relu +4"
};
/// Returns all regions in classes, each class in the order of its first region.
std::vector<AlikeRegions> alike_regions(const FlowResult& flow);

}  // namespace partita
