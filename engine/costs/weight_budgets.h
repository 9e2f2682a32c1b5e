// Budgets for weights as prices: a backend whose descriptions limit `weight_bytes` gets its room from the dearest
// operators, and what no placement can cost less than is known.
//
// Lagrangian relaxation (Fisher, "The Lagrangian relaxation method for solving integer programming problems",
// Management Science 27, 1981): weights on a limited backend cost a price for each MB; the least cost, less the prices
// of all room, is a bound for every price.
#pragma once

#include <functional>
#include <vector>

#include "engine/costs/cost_model.h"

namespace partita {

class WeightBudgets {
public:
    WeightBudgets(const Module& module, const FlowOptions& flow, const CostModel& model);

    bool any() const { return !budgets_.empty(); }

    /// Solves a problem with given prices. Returns the labels of operators, and a bound for the problem with budgets.
    struct Priced {
        Labels labels;
        double bound = 0;
    };
    using Solve = std::function<CostSolution(const CostProblem&)>;

    /// Looks for the prices with the best bound, one budget after the other by bisection. Calls `each` with every
    /// answer on the way, and with labels that use more of the room, which have a bound of 0; ends early once that
    /// returns false.
    void search(const CostProblem& problem, const Solve& solve, const std::function<bool(const Priced&)>& each) const;

private:
    struct Budget {
        uint16_t label;
        double mb;
    };
    Priced solve_with(const CostProblem& problem, const Solve& solve, const std::vector<double>& prices) const;
    Labels filled_up(Labels within, const Labels& over, const Budget& budget) const;
    double used(const Labels& labels, uint16_t label) const;

    std::vector<Budget> budgets_;
    std::vector<double> mb_of_;  ///< by operator: the weights that it reads as they are given
};

}  // namespace partita
