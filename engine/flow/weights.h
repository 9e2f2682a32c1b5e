// What is the same in every run of a module: its constants, and the parameters that hold weights.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

class Weights {
public:
    /// Costs a walk over @main.
    explicit Weights(const Module& module);

    /// Returns the bytes of all weights that these calls read; of each once.
    double bytes_of(std::span<const ExprId> calls) const;
    /// Returns the names of the parameters that hold weights.
    const std::set<std::string, std::less<>>& parameters() const { return parameters_; }

private:
    const Module& module_;
    std::vector<bool> is_weight_;  ///< by expression
    std::set<std::string, std::less<>> parameters_;
};

}  // namespace partita
