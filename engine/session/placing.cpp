#include "engine/session/placing.h"

#include <algorithm>

namespace partita {

namespace {

/// Reads the table as far as it is of this machine.
Result<CostTable> read_costs(PlacingRequest& request, std::vector<Diagnostic>& notes) {
    if (request.cost_file.empty()) {
        Result<std::string> file = default_cost_file(request.place.run.cache_folder);
        if (!file) return file.error();
        request.cost_file = *file;
    }
    Result<CostTable> kept = load_costs(request.cost_file);
    if (!kept) return kept;
    CostTable table = table_for_this_machine(*kept, request.place.run.threads);
    if (!table.units.empty() || kept->units.empty()) return table;
    notes.push_back(
        {Severity::Warning, request.cost_file, {}, "measured on another processor or with another number of threads"});
    return request.place.measure_seconds == 0 ? kept : table;
}

/// Reads the placement to compare with.
Status read_given(PlacingRequest& request, const PlacementTask& task, std::vector<Diagnostic>& notes) {
    if (request.compare_with.empty()) return Nothing();
    Result<PlacementFile> file = load_placement(request.compare_with);
    if (!file) return file.error();
    FlowOptions flow = task.flow;
    if (Status applied = apply_placement(*file, request.compare_with, *task.module, false, flow, notes); !applied)
        return applied;
    request.place.given = task.model.labels_of(flow.overrides);
    return Nothing();
}

}  // namespace

Result<PlacedModule> place_module(PlacingRequest request) {
    Result<PlacementTask> task = placement_task(std::move(request.module), std::move(request.flow));
    if (!task) return task.error();
    PlacedModule placed{std::move(*task), {}, {}, {}, {}, {}};
    Result<CostTable> table = read_costs(request, placed.notes);
    if (!table) return table.error();
    placed.table = std::move(*table);
    if (Status read = read_given(request, placed.task, placed.notes); !read) return read.error();
    Result<PlacementAnswer> answer = place_by_cost(placed.task, placed.table, request.place);
    if (request.place.measure_seconds > 0)
        if (Status saved = save_costs(request.cost_file, placed.table); !saved) return saved.error();
    if (!answer) return answer.error();
    placed.answer = std::move(*answer);
    if (!request.curves) return placed;
    Result<std::vector<ParetoPoint>> by_regions = pareto_curve(placed.task, placed.table, ParetoGoal::Regions);
    Result<std::vector<ParetoPoint>> by_weights = pareto_curve(placed.task, placed.table, ParetoGoal::Weights);
    if (!by_regions || !by_weights) return by_regions ? by_weights.error() : by_regions.error();
    placed.by_regions = std::move(*by_regions);
    placed.by_weights = std::move(*by_weights);
    return placed;
}

std::optional<OperatorCosts> operator_costs(const PlacedModule& placed, const FlowResult& flow, ExprId expr) {
    const CostModel& model = placed.task.model;
    if (flow.input != placed.task.module) return std::nullopt;
    const auto op = std::find_if(model.operators().begin(), model.operators().end(),
                                 [&](const CostModel::Operator& each) { return each.expr == expr; });
    if (op == model.operators().end()) return std::nullopt;
    const CostedDivision now = model.division_of(flow);
    OperatorCosts costs;
    costs.op = uint32_t(op - model.operators().begin());
    costs.here = now.labels[costs.op];
    for (uint16_t label = 0; label < model.labels(); ++label) {
        if (label == costs.here) continue;
        if (!op->accepted[label]) {
            costs.refusing.push_back(label);
            continue;
        }
        Result<FlipCost> flip = flip_cost(placed.task, placed.table, now, placed.answer.least_ms, costs.op, label);
        if (!flip) return std::nullopt;
        costs.flips.push_back(std::move(*flip));
    }
    return costs;
}

std::vector<FlipCost> contested_operators(const PlacedModule& placed, const FlowResult& flow) {
    if (flow.input != placed.task.module) return {};
    Result<std::vector<FlipCost>> flips =
        contested_operators(placed.task, placed.table, placed.task.model.division_of(flow), placed.answer.least_ms);
    return flips ? std::move(*flips) : std::vector<FlipCost>();
}

std::optional<PlacedCandidate> candidate_of(const PlacedModule& placed, const FlowResult& flow) {
    if (flow.input != placed.task.module) return std::nullopt;
    const CostedDivision division = placed.task.model.division_of(flow);
    const auto is_it = [&](const PlacedCandidate& each) { return each.labels == division.labels; };
    if (is_it(placed.answer.chosen)) return placed.answer.chosen;
    const auto& others = placed.answer.others;
    const auto known = std::find_if(others.begin(), others.end(), is_it);
    if (known != others.end()) return *known;
    return PlacedCandidate{"", division.labels, int(flow.regions.size()),
                           placed.task.model.price(placed.table, division), 0};
}

std::optional<PredictedTimes> predicted_times(const PlacedModule& placed, const FlowResult& flow) {
    if (flow.input != placed.task.module) return std::nullopt;
    const CostedDivision division = placed.task.model.division_of(flow);
    PredictedTimes times;
    times.regions.resize(flow.regions.size());
    for (const CostTerm& term : placed.task.model.terms(placed.table, division)) {
        const int32_t region = division.regions[term.op];
        double& sum = term.kind == CostTerm::Kind::Crossing ? times.crossings
                      : region < 0                          ? times.on_default
                                                            : times.regions[size_t(region)];
        sum += term.ms;
        times.total += term.ms;
    }
    return times;
}

PlacementFile placement_of(const PlacedModule& placed, const PlacedCandidate& written, const std::string& title,
                           std::vector<std::string> backends, bool lowered, bool simplified, bool folded) {
    return {title,
            std::move(backends),
            lowered,
            simplified,
            folded,
            written.measured_ms,
            written.predicted_ms,
            placed.answer.bound_ms,
            placed_operators(*placed.task.module, placed.task.model.overrides_of(written.labels))};
}

}  // namespace partita
