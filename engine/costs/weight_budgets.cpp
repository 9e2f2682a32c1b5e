#include "engine/costs/weight_budgets.h"

#include <algorithm>

#include "engine/flow/weights.h"

namespace partita {

namespace {

constexpr double kBytesOfMb = 1e6;

}  // namespace

WeightBudgets::WeightBudgets(const Module& module, const FlowOptions& flow, const CostModel& model) {
    for (const BackendDescription& backend : flow.backends)
        for (uint16_t label = 1; label < model.labels(); ++label)
            if (backend.limits.weight_bytes > 0 && model.name(label) == backend.name)
                budgets_.push_back({label, backend.limits.weight_bytes / kBytesOfMb});
    if (budgets_.empty()) return;
    const Weights weights(module);
    for (const CostModel::Operator& op : model.operators())
        mb_of_.push_back(weights.bytes_of({&op.expr, 1}) / kBytesOfMb);
}

void WeightBudgets::search(const CostProblem& problem, const Solve& solve,
                           const std::function<bool(const Priced&)>& each) const {
    constexpr int kRounds = 2, kHalvings = 12;
    constexpr double kFirstPrice = 1e-3, kLastPrice = 1e9;  // ms for each MB
    std::vector<double> prices(budgets_.size());
    Labels over, within;  // of the last answers
    bool goes_on = true;
    const auto fits = [&](const Budget& budget) {
        const Priced priced = solve_with(problem, solve, prices);
        goes_on = !priced.labels.empty() && each(priced);
        const bool fit = goes_on && used(priced.labels, budget.label) <= budget.mb;
        (fit ? within : over) = priced.labels;
        return fit;
    };
    for (int round = 0; round < std::min<int>(kRounds, int(budgets_.size())); ++round)
        for (size_t i = 0; i < budgets_.size() && goes_on; ++i) {
            double& price = prices[i];
            price = 0;
            if (fits(budgets_[i])) continue;
            double low = 0, high = kFirstPrice;
            for (price = high; goes_on && !fits(budgets_[i]) && high < kLastPrice; price = high *= 4) low = high;
            for (int halving = 0; goes_on && halving < kHalvings; ++halving) {
                price = (low + high) / 2;
                (fits(budgets_[i]) ? high : low) = price;
            }
            price = high;
            if (goes_on) goes_on = each({filled_up(within, over, budgets_[i]), 0});
        }
}

/// Many operators may change sides at one price: takes as many over as fit.
Labels WeightBudgets::filled_up(Labels within, const Labels& over, const Budget& budget) const {
    double room = budget.mb - used(within, budget.label);
    for (size_t op = 0; op < within.size(); ++op) {
        const bool moves = within[op] != over[op] && over[op] == budget.label && mb_of_[op] <= room;
        if (!moves) continue;
        within[op] = over[op];
        room -= mb_of_[op];
    }
    return within;
}

WeightBudgets::Priced WeightBudgets::solve_with(const CostProblem& problem, const Solve& solve,
                                                const std::vector<double>& prices) const {
    CostProblem priced = problem;
    double room = 0;
    for (size_t i = 0; i < budgets_.size(); ++i) {
        room += prices[i] * budgets_[i].mb;
        for (size_t op = 0; op < mb_of_.size(); ++op) priced.single[op][budgets_[i].label] += prices[i] * mb_of_[op];
    }
    const CostSolution solution = solve(priced);
    if (solution.labels.empty()) return {};
    return {{solution.labels.begin(), solution.labels.begin() + std::ptrdiff_t(mb_of_.size())}, solution.bound - room};
}

double WeightBudgets::used(const Labels& labels, uint16_t label) const {
    double mb = 0;
    for (size_t op = 0; op < labels.size(); ++op)
        if (labels[op] == label) mb += mb_of_[op];
    return mb;
}

}  // namespace partita
