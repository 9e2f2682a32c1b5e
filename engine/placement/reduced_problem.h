// A problem of labels made smaller without changing its answers: labels that are impossible go, and a variable whose
// label follows from another's becomes part of that one. Tables of elimination shrink by both.
#pragma once

#include "engine/placement/cost_problem.h"

namespace partita {

class ReducedProblem {
public:
    explicit ReducedProblem(const CostProblem& problem);

    const CostProblem& problem() const { return reduced_; }
    /// Returns the first variables of the problem that was given, for labels of the reduced one.
    std::vector<uint16_t> labels(const std::vector<uint16_t>& reduced) const;
    /// Returns, by variable and label of the problem that was given, the least of these costs.
    std::vector<std::vector<double>> spread(const std::vector<std::vector<double>>& reduced, size_t variables) const;
    /// Returns how many variables of the reduced problem are needed to know the first of the given one.
    size_t needed(size_t variables) const;

private:
    struct Variable {
        uint32_t number = 0;           ///< in the reduced problem
        std::vector<uint16_t> labels;  ///< by label there: its own
    };

    void drop_impossible();
    void find_followers();
    bool follows(const CostProblem::Pair& pair, bool first, std::vector<uint16_t>& label) const;
    void number_variables();
    void add_costs();

    const CostProblem& given_;
    CostProblem reduced_;
    std::vector<std::vector<bool>> possible_;       ///< by variable and label
    std::vector<int64_t> leader_;                   ///< by variable: that it follows, or -1
    std::vector<std::vector<uint16_t>> following_;  ///< by variable that follows: its label for each of the leader's
    std::vector<Variable> variables_;
};

}  // namespace partita
