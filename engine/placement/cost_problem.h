// One label for each of many variables, so that the sum of their costs is least: of each variable alone, of pairs, and
// of a few variables together.
//
// Solved by bucket elimination (Dechter, "Bucket elimination: a unifying framework for reasoning", Artificial
// Intelligence 113, 1999) in order of least degree. Exact where the tables stay small, as on the graphs of neural
// networks, whose treewidth is 1 or 2: then linear in the number of variables. Otherwise mini-buckets (Dechter, Rish,
// "Mini-buckets", J. ACM 50, 2003) give a lower bound, and branch and bound searches until a time limit.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/support/cancel.h"

namespace partita {

struct CostProblem {
    static constexpr double kForbidden = std::numeric_limits<double>::infinity();

    struct Pair {
        uint32_t a, b;             ///< two different variables
        std::vector<double> cost;  ///< at [label of a * labels of b + label of b]
    };
    /// A cost that three or more variables decide together.
    struct Group {
        std::vector<uint32_t> variables;  ///< all different
        std::vector<double> cost;         ///< by their labels; those of the last variable count fastest
    };
    std::vector<std::vector<double>> single;  ///< by variable and label; each has at least one label
    std::vector<Pair> pairs;                  ///< several pairs of the same variables add up
    std::vector<Group> groups;                ///< likewise

    size_t labels(uint32_t variable) const { return single[variable].size(); }
    /// Returns the sum of all costs for these labels.
    double cost(std::span<const uint16_t> labels) const;
};

struct SolveLimits {
    double seconds = 10;               ///< for branch and bound; elimination is not limited
    size_t entries = size_t(1) << 20;  ///< of one table
    CancelToken cancel;
};

struct CostSolution {
    std::vector<uint16_t> labels;  ///< empty: every choice is forbidden
    double cost = CostProblem::kForbidden;
    double bound = 0;     ///< no choice costs less
    bool proved = false;  ///< cost and bound are the same: nothing is better
};

CostSolution solve(const CostProblem& problem, const SolveLimits& limits = {});

/// Returns, by variable and label, the least cost of all choices with that label, for the first `variables`. Messages
/// go up and down the tree of buckets once (Kask, Dechter, Larrosa, Dechter, "Unifying tree decompositions", Artificial
/// Intelligence 166, 2005). Empty if a table would exceed the limit, or if cancelled.
std::vector<std::vector<double>> least_costs(const CostProblem& problem, size_t variables,
                                             const SolveLimits& limits = {});

}  // namespace partita
