// A list of elements 0..n-1 that compares any two in constant time and moves an element in logarithmic amortized time:
// labels with gaps, spread again over the smallest neighbourhood that is sparse enough (Bender, Cole, Demaine,
// Farach-Colton, Zito, "Two simplified algorithms for maintaining order in a list", ESA 2002).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace partita {

class OrderedList {
public:
    /// `order` holds each of 0..size-1 once.
    explicit OrderedList(std::span<const uint32_t> order);

    bool before(uint32_t a, uint32_t b) const { return labels_[a] < labels_[b]; }
    uint64_t label(uint32_t element) const { return labels_[element]; }
    void remove(uint32_t element);
    /// Moves `element` directly behind `after`.
    void move_behind(uint32_t element, uint32_t after);
    void move_before(uint32_t element, uint32_t before) { move_behind(element, previous_[before]); }

private:
    void insert_behind(uint32_t element, uint32_t after);
    void spread(uint32_t around);

    std::vector<uint64_t> labels_;
    std::vector<uint32_t> next_, previous_;  ///< the list is a ring through the element `size`, whose label is 0
};

}  // namespace partita
