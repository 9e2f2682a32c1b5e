// The bytes alive at once in two regions together, asked again and again while regions grow.
//
// Where one region runs wholly before the other and they share no more than results of the first, the answer follows
// from each region's own: what the second waits for lives through the first, and what leaves the first lives through
// the second. Such a query costs the ends that leave, and the begins of the second. Else it costs the calls of both.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/passes/live_bytes.h"
#include "engine/passes/region_set.h"

namespace partita {

class LiveRegions {
public:
    /// All arguments outlive it. `is_weight`: of a constant or parameter. The region set must not go back to a saved
    /// state meanwhile.
    LiveRegions(const Module& module, RegionSet& regions, MarkReader& reader, const UserTable& users,
                std::function<bool(ExprId)> is_weight);

    /// Returns the most bytes alive in both, `producer` giving values to `region`. Regions are only united after such a
    /// query about them, and before the next.
    double most_of_both(int32_t producer, int32_t region);

private:
    struct Profile {
        double most = 0;
        uint32_t steps = 0;
        std::pair<uint32_t, uint32_t> span;
        std::vector<ExprId> leaving;  ///< ends
    };
    using ProfilePtr = std::shared_ptr<const Profile>;
    /// What a region consists of changes with its last begin.
    using Key = std::pair<int32_t, int32_t>;
    struct KeyHash {
        size_t operator()(const Key& key) const { return (size_t(uint32_t(key.first)) << 32) ^ uint32_t(key.second); }
    };

    void keep_answer_if_united();
    Key key_of(int32_t root) const { return {root, regions_.last_begin(root)}; }
    ProfilePtr profile_of(int32_t root);
    Profile measure(int32_t producer, int32_t region);
    std::optional<double> in_turn(int32_t producer, const Profile& first, int32_t region, const Profile& second);
    /// Returns the bytes of values that enter `region` alone; nothing if one enters both, and not only at the end.
    std::optional<double> waiting(int32_t producer, const Profile& first, int32_t region);
    LiveBytes::Region both(int32_t producer, int32_t region);
    bool is_in(ExprId id, int32_t producer, int32_t region);
    bool leaves(ExprId end, int32_t producer, int32_t region);
    bool is_used_in(ExprId end, int32_t region);
    bool enters(ExprId value, int32_t region);
    bool is_in_tuple(ExprId value) const;
    double bytes(ExprId value) const;
    ExprId unmarked(ExprId id) const;

    const Module& module_;
    RegionSet& regions_;
    MarkReader& reader_;
    const UserTable& users_;
    const std::function<bool(ExprId)> is_weight_;
    std::unordered_map<Key, ProfilePtr, KeyHash> profiles_;
    std::pair<Key, Key> asked_;  ///< in the last query
    ProfilePtr answer_;
};

}  // namespace partita
