// Places a module by measured cost, with the table of costs from a file and back.
#pragma once

#include "engine/session/costs.h"

namespace partita {

struct PlacingRequest {
    ModulePtr module;  ///< the flow's input, or what it simplifies first
    FlowOptions flow;  ///< backends with their rules; overrides are held
    PlaceOptions place;
    std::string cost_file;     ///< "" = the one in the cache folder of `place.run`
    std::string compare_with;  ///< a placement file to compare with the best; "": none
};

struct PlacedModule {
    PlacementTask task;
    CostTable table;
    PlacementAnswer answer;
    std::vector<Diagnostic> notes;
};

/// Reads the costs, places, and writes what was measured, also where placing was cancelled. A table of another
/// processor or number of threads is used only if nothing is measured.
Result<PlacedModule> place_module(PlacingRequest request);

/// Returns the answer as a file. `backends`: as they were named.
PlacementFile placement_of(const PlacedModule& placed, const std::string& title, std::vector<std::string> backends,
                           bool simplified, bool folded);

}  // namespace partita
