#include "engine/session/placing.h"

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
    PlacedModule placed{std::move(*task), {}, {}, {}};
    Result<CostTable> table = read_costs(request, placed.notes);
    if (!table) return table.error();
    placed.table = std::move(*table);
    if (Status read = read_given(request, placed.task, placed.notes); !read) return read.error();
    Result<PlacementAnswer> answer = place_by_cost(placed.task, placed.table, request.place);
    if (request.place.measure_seconds > 0)
        if (Status saved = save_costs(request.cost_file, placed.table); !saved) return saved.error();
    if (!answer) return answer.error();
    placed.answer = std::move(*answer);
    return placed;
}

PlacementFile placement_of(const PlacedModule& placed, const std::string& title, std::vector<std::string> backends,
                           bool simplified, bool folded) {
    const PlacedCandidate& chosen = placed.answer.chosen;
    return {title,
            std::move(backends),
            simplified,
            folded,
            chosen.measured_ms,
            chosen.predicted_ms,
            placed.answer.bound_ms,
            placed_operators(*placed.task.module, placed.task.model.overrides_of(chosen.labels))};
}

}  // namespace partita
