// The division that costs least by a table, proved where the flow agrees with the model.
//
// The model's labels are solved first: a lower bound, because merging refused by the flow, and limits of backends, only
// add to what they cost. The flow then divides the module so, and the result is priced. Where the two differ because
// merging was refused, the model gets terms for it and is solved again. Budgets for weights become prices (see
// weight_budgets.h). Where they still differ, the next best labels are tried in order of their cost (Lawler, "A
// procedure for computing the K best solutions", Management Science 18, 1972) until the bound reaches the best price,
// or the time is over: the gap says what is left.
#pragma once

#include "engine/costs/cost_model.h"
#include "engine/costs/reentry.h"

namespace partita {

struct PricedDivision {
    Labels labels;            ///< as chosen
    CostedDivision division;  ///< as the flow made it
    double price = CostProblem::kForbidden;
    int regions = 0;
};

struct BestDivision {
    PricedDivision best;
    double bound = 0;                ///< no division costs less
    double without_budgets = 0;      ///< the bound if backends had room for all weights; 0: no budget is known
    std::vector<Reentry> reentries;  ///< that the bound rests on
    bool proved = false;             ///< the bound is reached, but for rounding
    int tried = 0;                   ///< divisions that the flow made

    /// Returns how much less another division might cost, as a share of the price.
    double gap() const { return proved || best.price <= 0 ? 0 : (best.price - bound) / best.price; }
};

/// What a placement is chosen for: the flow's input module, its options, the model of both.
struct PlacementTask {
    ModulePtr module;  ///< the flow's input: simplified, where the flow does that
    FlowOptions flow;  ///< its overrides are held; it does not rewrite
    CostModel model;
};

/// Returns a task for the module and options, or why it can't be placed by cost.
Result<PlacementTask> placement_task(ModulePtr module, FlowOptions flow);
/// Divides the module as the labels say.
Result<FlowResult> divide(const PlacementTask& task, const Labels& labels);
/// Divides and prices.
Result<PricedDivision> price_division(const PlacementTask& task, const CostTable& table, const Labels& labels);
/// Returns what the flow does without a placement: the backends' rules in their order.
Result<Labels> labels_by_rules(const PlacementTask& task, const FlowOptions& flow);

/// `known`: labels that the answer must not cost more than, as far as the model allows them. `seconds`: for divisions
/// after the first.
Result<BestDivision> best_division(const PlacementTask& task, const CostTable& table, const std::vector<Labels>& known,
                                   double seconds, const CancelToken& cancel);

}  // namespace partita
