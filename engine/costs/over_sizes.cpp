#include "engine/costs/over_sizes.h"

#include <algorithm>

namespace partita {

namespace {

/// Returns whether two models have the same operators and values but for their types.
bool same_structure(const CostModel& a, const CostModel& b) {
    if (a.operators().size() != b.operators().size() || a.values().size() != b.values().size()) return false;
    for (size_t i = 0; i < a.operators().size(); ++i) {
        const CostModel::Operator &x = a.operators()[i], &y = b.operators()[i];
        if (x.before != y.before || x.key.substr(0, x.key.find('(')) != y.key.substr(0, y.key.find('('))) return false;
    }
    for (size_t i = 0; i < a.values().size(); ++i)
        if (a.values()[i].producer != b.values()[i].producer || a.values()[i].users != b.values()[i].users)
            return false;
    return true;
}

/// Adds the costs of a problem whose first variables are the same operators; its others are its own. Pairs and groups
/// add up by themselves.
void add_scaled(CostProblem& sum, CostProblem problem, size_t operators, double scale) {
    if (sum.single.empty()) sum.single.resize(operators);
    const size_t own = sum.single.size() - operators;
    const auto renumber = [&](uint32_t& variable) { variable += variable < operators ? 0 : uint32_t(own); };
    const auto scale_all = [&](std::vector<double>& costs) {
        for (double& cost : costs) cost = cost == 0 ? 0 : cost * scale;
    };
    for (size_t i = 0; i < problem.single.size(); ++i) {
        scale_all(problem.single[i]);
        if (i >= operators) {
            sum.single.push_back(std::move(problem.single[i]));
            continue;
        }
        sum.single[i].resize(problem.single[i].size(), 0.0);
        for (size_t label = 0; label < problem.single[i].size(); ++label)
            sum.single[i][label] += problem.single[i][label];
    }
    for (CostProblem::Pair& pair : problem.pairs) {
        scale_all(pair.cost);
        renumber(pair.a);
        renumber(pair.b);
        sum.pairs.push_back(std::move(pair));
    }
}

Labels solve_together(std::span<const SizedPlacement> sizes, const CancelToken& cancel) {
    CostProblem sum;
    for (const SizedPlacement& size : sizes)
        add_scaled(sum, size.task->model.problem(*size.table), size.task->model.operators().size(),
                   1 / std::max(size.predicted_ms, 1e-9));
    SolveLimits limits;
    limits.cancel = cancel;
    Labels labels = solve(sum, limits).labels;
    labels.resize(std::min(labels.size(), sizes[0].labels.size()));
    return labels;
}

}  // namespace

Result<OverSizes> place_over_sizes(std::span<const SizedPlacement> sizes, const CancelToken& cancel) {
    for (const SizedPlacement& size : sizes)
        if (!same_structure(size.task->model, sizes[0].task->model))
            return error("with another size the module has other operators: no placement fits all sizes");
    std::vector<Labels> candidates = {solve_together(sizes, cancel)};
    if (cancel.cancelled()) return error("cancelled");
    for (const SizedPlacement& size : sizes) candidates.push_back(size.labels);
    OverSizes best;
    double least = CostProblem::kForbidden;
    for (Labels& labels : candidates) {
        if (labels.empty()) continue;
        double sum = 0;
        std::vector<double> predicted;
        for (const SizedPlacement& size : sizes) {
            if (!size.task->model.allows(labels)) {
                sum = CostProblem::kForbidden;
                break;
            }
            Result<PricedDivision> priced = price_division(*size.task, *size.table, labels);
            if (!priced) return priced.error();
            predicted.push_back(priced->price);
            sum += priced->price / std::max(size.predicted_ms, 1e-9);
        }
        if (sum >= least) continue;
        least = sum;
        best.labels = std::move(labels);
        best.predicted_ms = std::move(predicted);
    }
    if (best.labels.empty()) return error("no placement is allowed for every size");
    for (uint32_t op = 0; op < sizes[0].labels.size(); ++op)
        if (std::any_of(sizes.begin(), sizes.end(),
                        [&](const SizedPlacement& size) { return size.labels[op] != sizes[0].labels[op]; }))
            best.size_decides.push_back(op);
    return best;
}

}  // namespace partita
