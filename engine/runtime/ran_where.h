// Which regions ran on their backends, and which fell back to `default`.
#pragma once

#include <string>
#include <vector>

#include "engine/runtime/run.h"
#include "engine/support/sentence.h"

namespace partita {

/// Whether `default` ran it because its backend could not.
bool fell_back(const RegionTiming& region);

/// The regions of one backend.
struct RanRegions {
    std::string backend;
    int regions = 0;
    int fell_back = 0;
    int on_default = 0;  ///< because the backend's description names nothing else that executes it
    int ran() const { return regions - fell_back - on_default; }
};
/// In the order of the backends' first regions.
std::vector<RanRegions> count_regions(const RunReport& report);
/// "3 of 5 regions ran on npu, 2 fell back to default", a sentence for each backend.
std::vector<Sentence> ran_where(const RunReport& report);
/// Whether there are regions, and `default` ran each because its backend could not.
bool all_fell_back(const RunReport& report);

}  // namespace partita
