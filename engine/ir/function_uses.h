// How often a run of a module comes to what is written in it once: a function that is called twice is there twice.
// Loops and branches count once, and so does recursion.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

class FunctionUses {
public:
    /// `module` must outlive this. Linear in it.
    explicit FunctionUses(const Module& module);

    /// Returns how often a run comes to an expression, 10^12 for whatever is more; 1 for what no function holds.
    int64_t times(ExprId id) const;
    bool is_parameter(ExprId id) const { return parameters_.count(id) > 0; }
    /// Returns what is given to a parameter of a function, for each call of it; nothing for another expression and
    /// where nobody calls the function, as @main.
    std::vector<ExprId> given_to(ExprId parameter) const;

private:
    void find_owners();
    void count_uses();

    const Module& module_;
    std::vector<ExprId> functions_;                                     ///< what holds others is behind them
    std::vector<ExprId> owner_;                                         ///< the innermost function around, by ExprId
    std::unordered_map<ExprId, std::vector<ExprId>> calls_;             ///< by the function that is called
    std::unordered_map<ExprId, std::pair<ExprId, size_t>> parameters_;  ///< the function and the place in it
    std::unordered_map<ExprId, int64_t> times_;                         ///< by function
};

}  // namespace partita
