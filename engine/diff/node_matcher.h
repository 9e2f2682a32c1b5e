// Matches the nodes of one flat view with those of another. Internal to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/diff/flat_view.h"

namespace partita {

class NodeMatcher {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    NodeMatcher(const FlatView& before, const FlatView& after);
    /// Returns the match of each node of the view before, or kNone.
    const std::vector<uint32_t>& after_of() const { return after_of_; }
    const std::vector<uint32_t>& before_of() const { return before_of_; }

private:
    struct Hashes {
        std::vector<uint64_t> below, above;
        std::vector<uint64_t> unnamed;  ///< as below, without names but those of inputs
    };
    using Key = std::function<uint64_t(const FlatView&, const Hashes&, uint32_t)>;

    static Hashes hash(const FlatView& view);
    void match(uint32_t a, uint32_t b);
    bool free(uint32_t a, uint32_t b) const { return after_of_[a] == kNone && before_of_[b] == kNone; }
    /// Pairs free nodes of equal keys in order; key 0 means none. `unique`: only where each side has exactly one.
    void match_by(const Key& key, bool unique);
    /// Extends each pair to operands and users at the same position that fit.
    void spread();
    void spread_from(uint32_t a, uint32_t b);
    bool fits(uint32_t a, uint32_t b) const;
    uint64_t kind_of(const FlatView& view, uint32_t node) const;
    bool in_same_place(uint32_t a, uint32_t b) const;
    void match_exchanged();
    struct Letters {
        std::vector<uint32_t> nodes;
        std::vector<uint64_t> letters;
    };
    Letters letters_of(const FlatView& view, const std::vector<uint32_t>& matches) const;
    void match_in_order();

    const FlatView &before_, &after_;
    Hashes before_hashes_, after_hashes_;
    std::vector<uint32_t> after_of_, before_of_;
    std::vector<std::pair<uint32_t, uint32_t>> open_;
    bool by_operator_only_ = false;  ///< fits() ignores attributes
};

}  // namespace partita
