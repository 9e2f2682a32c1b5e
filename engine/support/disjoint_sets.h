// Disjoint sets of the numbers below a count (Tarjan, "Efficiency of a good but not linear set union algorithm", 1975),
// with halved paths.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace partita {

class DisjointSets {
public:
    explicit DisjointSets(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

    uint32_t root(uint32_t at) {
        while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
        return at;
    }
    /// The first of the two roots becomes that of both sets.
    void join(uint32_t root, uint32_t other_root) { parent_[other_root] = root; }

private:
    std::vector<uint32_t> parent_;
};

}  // namespace partita
