#include "engine/costs/pareto.h"

#include <algorithm>

namespace partita {

namespace {

constexpr int kPrices = 14;           ///< tried
constexpr double kLeastPrice = 1e-4;  ///< ms for a crossing or an MB; each price is three times the one before

double weights_on_backends(const CostModel& model, const Labels& labels) {
    double sum = 0;
    for (size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != 0) sum += model.operators()[i].weight_mb;
    return sum;
}

/// Returns the table with a price on every crossing.
CostTable with_price(const CostModel& model, CostTable table, double price) {
    for (uint16_t from = 0; from < model.labels(); ++from)
        for (uint16_t to = 0; to < model.labels(); ++to) {
            CrossingCost& cost =
                table.crossings
                    .try_emplace({model.name(from), model.name(to)}, CostModel::unmeasured_crossing(from, to))
                    .first->second;
            if (from != to) cost.ms += price;
        }
    return table;
}

Labels solved_at(const PlacementTask& task, const CostTable& table, ParetoGoal goal, double price) {
    const CostModel& model = task.model;
    CostProblem problem = model.problem(goal == ParetoGoal::Regions ? with_price(model, table, price) : table);
    for (size_t i = 0; i < model.operators().size() && goal == ParetoGoal::Weights; ++i)
        for (uint16_t label = 1; label < model.labels(); ++label)
            problem.single[i][label] += price * model.operators()[i].weight_mb;
    std::vector<uint16_t> labels = solve(problem).labels;
    labels.resize(std::min(labels.size(), model.operators().size()));
    return labels;
}

}  // namespace

Result<std::vector<ParetoPoint>> pareto_curve(const PlacementTask& task, const CostTable& table, ParetoGoal goal) {
    std::vector<ParetoPoint> found;
    double price = 0;
    for (int i = 0; i < kPrices; ++i) {
        const Labels labels = solved_at(task, table, goal, price);
        price = i == 0 ? kLeastPrice : price * 3;
        if (labels.empty()) break;
        const auto same = [&](const ParetoPoint& point) { return point.labels == labels; };
        if (std::any_of(found.begin(), found.end(), same)) continue;
        Result<PricedDivision> priced = price_division(task, table, labels);
        if (!priced) return priced.error();
        found.push_back({labels, priced->regions, weights_on_backends(task.model, labels), priced->price});
    }
    const auto amount = [goal](const ParetoPoint& point) {
        return goal == ParetoGoal::Regions ? double(point.regions) : point.weight_mb;
    };
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.predicted_ms < b.predicted_ms; });
    std::vector<ParetoPoint> curve;
    for (ParetoPoint& point : found)
        if (curve.empty() || amount(point) < amount(curve.back())) curve.push_back(std::move(point));
    return curve;
}

}  // namespace partita
