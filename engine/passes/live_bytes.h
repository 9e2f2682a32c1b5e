// The bytes of values that are alive at once while a region runs: what a compiler needs on its chip beside weights.
//
// Calls run one after another in the order of the flow's input. What enters a region lives from the start to its last
// use there, a result from its call to its last use, or to the end if it leaves. Weights do not count, nor what is
// inside a composite: that is one step.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

class LiveBytes {
public:
    /// What a region consists of, asked about its module's expressions.
    struct Region {
        std::function<ExprId(ExprId)> unmarked;  ///< the expression without marks around it
        std::function<bool(ExprId)> has;         ///< a call
        std::function<bool(ExprId)> is_weight;   ///< a constant or parameter
    };
    /// `ends`: values by which all calls are reached. Linear, but for sorting.
    LiveBytes(const Module& module, Region region, const std::vector<ExprId>& ends);

    /// Keeps a result that leaves the region to the end.
    void leave(ExprId value);
    double most() const;
    /// Returns what is handed over: calls of the region, and values from outside; of a tuple, those of its fields.
    std::vector<ExprId> sources(ExprId value);
    uint32_t steps() const { return steps_; }
    /// The places of the first and last call in the flow's input.
    std::pair<uint32_t, uint32_t> span() const { return span_; }

private:
    struct Range {
        uint32_t first, last;  ///< steps; 0: from the start
        double bytes;
    };
    std::vector<ExprId> calls_behind(const std::vector<ExprId>& ends);
    double bytes(ExprId value) const;

    const Module& module_;
    const Region region_;
    std::unordered_map<uint32_t, Range> ranges_;              ///< by ExprId
    std::map<std::pair<uint32_t, uint32_t>, ExprId> fields_;  ///< of tuples from outside: the first projection of each
    std::pair<uint32_t, uint32_t> span_;
    uint32_t steps_ = 0;
};

/// Returns the most bytes alive in a sub-function, named by its call. `is_weight`: of a constant or parameter of the
/// caller's function.
double most_live_bytes(const Module& module, ExprId caller, const std::function<bool(ExprId)>& is_weight);

}  // namespace partita
