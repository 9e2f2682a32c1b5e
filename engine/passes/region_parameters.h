// The parameters of unfinished sub-functions: a list for each region in the order in which they were added. Lists of
// finished functions are reused, so memory is bounded by the regions that are open at one time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/pair_map.h"

namespace partita {

class RegionParameters {
public:
    struct Parameter {
        ExprId origin;    ///< expression that has the value
        ExprId value;     ///< in the sub-function: a var, or a constant that was bound
        ExprId argument;  ///< in the caller; invalid for a bound constant
    };

    explicit RegionParameters(size_t regions) : lists_(regions) {}

    /// Returns the value of the parameter for an origin, or an invalid id.
    ExprId find(size_t region, ExprId origin);
    void add(size_t region, const Parameter& parameter);
    /// Calls `visit` with each parameter, in their order.
    template <class Visit>
    void for_each(size_t region, Visit visit) const {
        for (int32_t i = lists_[region].first; i >= 0; i = items_[size_t(i)].next) visit(items_[size_t(i)].parameter);
    }
    /// Frees the parameters of a region whose function is made.
    void release(size_t region);

private:
    struct Item {
        Parameter parameter;
        int32_t next = -1;
    };
    struct List {
        int32_t first = -1, last = -1, count = 0;
    };
    static constexpr int32_t kFew = 8;  ///< up to this many are searched linearly

    int32_t new_item(const Parameter& parameter);

    std::vector<List> lists_;  ///< by region
    std::vector<Item> items_;
    int32_t free_ = -1;  ///< first free item
    PairMap of_origin_;  ///< (region, origin) -> value, for regions with many
};

}  // namespace partita
