// Places a module by measured cost, with the table of costs from a file and back.
#pragma once

#include <memory>
#include <optional>

#include "engine/costs/pareto.h"
#include "engine/session/costs.h"

namespace partita {

struct PlacingRequest {
    ModulePtr module;  ///< the flow's input, or what it simplifies first
    FlowOptions flow;  ///< backends with their rules; overrides are held
    PlaceOptions place;
    std::string cost_file;     ///< "" = the one in the cache folder of `place.run`
    std::string compare_with;  ///< a placement file to compare with the best; "": none
    bool curves = false;       ///< also what fewer regions, and fewer weights on backends, cost
};

struct PlacedModule {
    PlacementTask task;
    CostTable table;
    PlacementAnswer answer;
    std::vector<ParetoPoint> by_regions, by_weights;  ///< if curves were asked for
    std::vector<Diagnostic> notes;
};

/// Reads the costs, places, and writes what was measured, also where placing was cancelled. A table of another
/// processor or number of threads is used only if nothing is measured.
Result<PlacedModule> place_module(PlacingRequest request);
using PlacedModulePtr = std::shared_ptr<const PlacedModule>;

/// What other backends for one operator of a placed module would cost, as it is divided now.
struct OperatorCosts {
    uint32_t op = 0;                 ///< of the model
    uint16_t here = 0;               ///< label
    std::vector<FlipCost> flips;     ///< to each other backend whose rules take it
    std::vector<uint16_t> refusing;  ///< backends that no rule gives it to
};
/// Returns nothing if `expr` is no operator of the placed module, or the flow is of another one. Divides the module
/// once for each backend.
std::optional<OperatorCosts> operator_costs(const PlacedModule& placed, const FlowResult& flow, ExprId expr);

/// The operators of a placed module that could move at the least cost, as it is divided now. None if the flow is of
/// another module.
std::vector<FlipCost> contested_operators(const PlacedModule& placed, const FlowResult& flow);

/// A flow's division as a placement: with what it took, if it was measured. Nothing if the flow is of another module.
std::optional<PlacedCandidate> candidate_of(const PlacedModule& placed, const FlowResult& flow);

/// What a division of a placed module is predicted to take.
struct PredictedTimes {
    std::vector<double> regions;  ///< ms, by region of the flow
    double on_default = 0;
    double crossings = 0;
    double total = 0;
};
/// Returns nothing if the flow is of another module.
std::optional<PredictedTimes> predicted_times(const PlacedModule& placed, const FlowResult& flow);

/// Returns a placement as a file. `backends`: as they were named.
PlacementFile placement_of(const PlacedModule& placed, const PlacedCandidate& written, const std::string& title,
                           std::vector<std::string> backends, bool lowered, bool simplified, bool folded);

}  // namespace partita
