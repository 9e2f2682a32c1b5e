// Which regions ran on their backends, and which fell back to `default`.
#pragma once

#include <string>
#include <vector>

#include "engine/runtime/run.h"
#include "engine/support/sentence.h"

namespace partita {

/// Returns whether `default` ran the region because its backend could not.
bool fell_back(const RegionTiming& region);

/// The regions of one backend.
struct RanRegions {
    std::string backend;
    int regions = 0;
    int fell_back = 0;
    int on_default = 0;  ///< because no codegen of the backend's description executes it
    int ran() const { return regions - fell_back - on_default; }
};
/// Counts the regions of each backend, in the order of their first regions.
std::vector<RanRegions> count_regions(const RunReport& report);
/// Returns a sentence for each backend: "3 of 5 regions ran on npu, 2 fell back to default".
std::vector<Sentence> ran_where(const RunReport& report);
/// Returns whether there are regions and all of them fell back to `default`.
bool all_fell_back(const RunReport& report);

}  // namespace partita
