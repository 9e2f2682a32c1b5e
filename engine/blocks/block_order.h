// The order in which operators are cut into stretches. Internal to this folder.
#pragma once

#include "engine/blocks/block_graph.h"

namespace partita {

/// Operators in an order in which each block of a network is one stretch: topological, without inputs and weights,
/// which would keep every cut from being one. Side results, as a layer's cache, follow the layer that makes them.
/// Linear but for sorting.
class BlockOrder {
public:
    explicit BlockOrder(const BlockGraph& graph);

    const std::vector<uint32_t>& order() const { return order_; }
    /// UINT32_MAX for inputs and weights.
    uint32_t place(uint32_t node) const { return place_[node]; }
    /// Of what stands at a place, the place of the last user but for what gathers the results; its own without one.
    uint32_t last_use(uint32_t place) const { return last_use_[place]; }
    /// Returns the number of operators from where a value is made to its last use, of the value that lives longest.
    uint32_t longest_life() const;
    /// Returns for each of some limits, descending, in how many places one value at most crosses, of those that live
    /// for so many operators at most. Near linear for all limits together.
    std::vector<size_t> count_cuts(const std::vector<uint32_t>& longest) const;
    /// Moves what only makes values that live longer, as a mask that every layer takes, to the beginning.
    void move_long_lived(uint32_t longest);
    /// How many operators move_long_lived put first.
    uint32_t moved() const { return moved_; }

private:
    void number();
    std::vector<bool> find_trunk() const;
    void move_side_results();

    const BlockGraph& graph_;
    std::vector<uint32_t> order_, place_, last_use_;
    uint32_t moved_ = 0;
};

}  // namespace partita
