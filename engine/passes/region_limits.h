// Limits on the inputs and outputs of a region, checked before two regions are merged. If no compiler has a limit,
// nothing is built and every merge is allowed, as in TVM, which has no limits.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/traversal.h"
#include "engine/passes/live_regions.h"
#include "engine/passes/region_set.h"
#include "engine/support/sentence.h"

namespace partita {

struct RegionLimit {
    std::string compiler;
    int max_inputs = 0;  ///< tensors; 0: no limit. Constants are bound and do not count
    int max_outputs = 0;
    double max_weight_bytes = 0;  ///< of constants and of the parameters in MergeLimits' weights
    double max_live_bytes = 0;    ///< see LiveBytes

    bool any() const { return max_inputs > 0 || max_outputs > 0 || max_weight_bytes > 0 || max_live_bytes > 0; }
};

/// The limits of all compilers, and what counts as a weight beside constants.
struct MergeLimits {
    std::vector<RegionLimit> of_compilers;
    std::set<std::string, std::less<>> weights;  ///< names of parameters of @main
};

/// The facts of a refusal because of a limit.
struct ExceededLimit {
    std::string limit;  ///< "max_inputs"
    double count = 0;   ///< of the merged region
};
/// Returns nothing if the refusal is not a RegionLimiter's.
std::optional<ExceededLimit> exceeded_limit(const Sentence& refusal);

class RegionLimiter {
public:
    /// `order` is all visited expressions. Costs a walk if there is a limit.
    RegionLimiter(const Module& module, RegionSet& regions, MarkReader& reader, CompilerNames& names,
                  std::span<const ExprId> order, const MergeLimits& limits);

    bool active() const { return users_.has_value(); }
    /// Returns whether the region's compiler has a limit.
    bool limits(int32_t region) const { return limit_of(region) != nullptr; }
    /// Returns why two regions of one compiler must not merge, or nothing. Costs the begins and ends of both; for bytes
    /// alive see LiveRegions.
    Sentence refusal(int32_t producer, int32_t region);

private:
    const RegionLimit* limit_of(int32_t region) const;
    int inputs(int32_t producer, int32_t region);
    int outputs(int32_t producer, int32_t region);
    void note_inner_constants(std::span<const ExprId> order);
    double weight_bytes(int32_t producer, int32_t region);
    /// Returns whether something outside both uses what the end marks.
    bool leaves(ExprId end, int32_t producer, int32_t region);
    /// Collects into `found_` the different values that enter from outside both: constants, too.
    void find_entering(int32_t producer, int32_t region);
    bool is_weight(ExprId value) const;
    ExprId unmarked(ExprId id) const;

    const Module& module_;
    RegionSet& regions_;
    MarkReader& reader_;
    std::vector<RegionLimit> by_compiler_;
    std::vector<ExprId> weights_;                                       ///< parameters that hold weights, sorted
    std::unordered_map<int32_t, std::vector<ExprId>> inner_constants_;  ///< of composites, by the call's own region
    std::optional<UserTable> users_;
    std::unique_ptr<LiveRegions> live_;  ///< if bytes alive are limited
    std::vector<ExprId> found_;
};

}  // namespace partita
