#include "engine/costs/flip_cost.h"

#include <algorithm>

namespace partita {

namespace {

CostProblem problem_with(const PlacementTask& task, const CostTable& table, const std::vector<Reentry>& reentries) {
    CostProblem problem = task.model.problem(table);
    add_reentries(problem, task.model, table, reentries);
    return problem;
}

std::vector<CostTerm> sorted_terms(const PlacementTask& task, const CostTable& table, const CostedDivision& division) {
    std::vector<CostTerm> terms = task.model.terms(table, division);
    std::sort(terms.begin(), terms.end(), [](const CostTerm& a, const CostTerm& b) { return a < b; });
    return terms;
}

/// Returns the terms of the first that the second lacks.
std::vector<CostTerm> without(const std::vector<CostTerm>& terms, const std::vector<CostTerm>& others) {
    std::vector<CostTerm> rest;
    std::set_difference(terms.begin(), terms.end(), others.begin(), others.end(), std::back_inserter(rest),
                        [](const CostTerm& a, const CostTerm& b) { return a < b; });
    return rest;
}

}  // namespace

Result<FlipCost> flip_cost(const PlacementTask& task, const CostTable& table, const CostedDivision& now,
                           const std::vector<std::vector<double>>& least_ms, uint32_t op, uint16_t to) {
    Labels moved = now.labels;
    moved[op] = to;
    Result<FlowResult> flow = divide(task, moved);
    if (!flow) return flow.error();
    const std::vector<CostTerm> before = sorted_terms(task, table, now);
    const std::vector<CostTerm> after = sorted_terms(task, table, task.model.division_of(*flow));
    FlipCost flip{op, now.labels[op], to, 0, 0, without(before, after), without(after, before)};
    for (const CostTerm& term : flip.after) flip.ms += term.ms;
    for (const CostTerm& term : flip.before) flip.ms -= term.ms;
    // Moved alone is one of the ways of moving with others: never less, but for rounding.
    flip.regret_ms = least_ms.empty() ? flip.ms : std::min(flip.ms, least_ms[op][to] - task.model.price(table, now));
    return flip;
}

Result<std::vector<FlipCost>> contested_operators(const PlacementTask& task, const CostTable& table,
                                                  const CostedDivision& now,
                                                  const std::vector<std::vector<double>>& least_ms) {
    struct Move {
        double least;
        uint32_t op;
        uint16_t to;
    };
    std::vector<Move> moves;
    for (uint32_t op = 0; op < least_ms.size(); ++op)
        for (uint16_t to = 0; to < task.model.labels(); ++to)
            if (to != now.labels[op] && task.model.operators()[op].accepted[to])
                moves.push_back({least_ms[op][to], op, to});
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.least < b.least; });
    moves.resize(std::min(moves.size(), kMostContested));
    std::vector<FlipCost> flips;
    for (const Move& move : moves) {
        Result<FlipCost> flip = flip_cost(task, table, now, least_ms, move.op, move.to);
        if (!flip) return flip.error();
        flips.push_back(std::move(*flip));
    }
    return flips;
}

std::vector<std::vector<double>> least_costs(const PlacementTask& task, const CostTable& table,
                                             const std::vector<Reentry>& reentries, const CancelToken& cancel) {
    SolveLimits limits;
    limits.cancel = cancel;
    return least_costs(problem_with(task, table, reentries), task.model.operators().size(), limits);
}

Labels best_labels_with(const PlacementTask& task, const CostTable& table, const std::vector<Reentry>& reentries,
                        uint32_t op, uint16_t to, const CancelToken& cancel) {
    CostProblem problem = problem_with(task, table, reentries);
    for (uint16_t label = 0; label < task.model.labels(); ++label)
        if (label != to) problem.single[op][label] = CostProblem::kForbidden;
    SolveLimits limits;
    limits.cancel = cancel;
    Labels labels = solve(problem, limits).labels;
    labels.resize(std::min(labels.size(), task.model.operators().size()));
    return labels;
}

}  // namespace partita
