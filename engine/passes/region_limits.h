// How many inputs and outputs a region may have: asked before two regions are merged. Where no compiler has a limit
// nothing is built and every merge is allowed, as in TVM, which knows no limits.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/traversal.h"
#include "engine/passes/region_set.h"
#include "engine/support/sentence.h"

namespace partita {

struct RegionLimit {
    std::string compiler;
    int max_inputs = 0;  ///< tensors; 0: no limit. Constants are bound and don't count
    int max_outputs = 0;
};

/// What a refusal because of a limit tells.
struct ExceededLimit {
    bool of_outputs = false;
    int count = 0;  ///< that they would have
};
/// Nothing where it is no RegionLimiter's.
std::optional<ExceededLimit> exceeded_limit(const Sentence& refusal);

class RegionLimiter {
public:
    /// `order` is all that is looked at. Costs a walk where there is a limit.
    RegionLimiter(const Module& module, RegionSet& regions, MarkReader& reader, CompilerNames& names,
                  std::span<const ExprId> order, std::span<const RegionLimit> limits);

    bool active() const { return users_.has_value(); }
    /// Whether the region's compiler has a limit.
    bool limits(int32_t region) const { return limit_of(region) != nullptr; }
    /// Why two regions of one compiler may not be one, or nothing. Costs the begins and ends of both.
    Sentence refusal(int32_t producer, int32_t region);

private:
    const RegionLimit* limit_of(int32_t region) const;
    int inputs(int32_t producer, int32_t region);
    int outputs(int32_t producer, int32_t region);
    ExprId unmarked(ExprId id) const;

    const Module& module_;
    RegionSet& regions_;
    MarkReader& reader_;
    std::vector<RegionLimit> by_compiler_;
    std::optional<UserTable> users_;
    std::vector<ExprId> found_;
};

}  // namespace partita
