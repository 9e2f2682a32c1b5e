#include "engine/passes/ordered_list.h"

namespace partita {

namespace {

constexpr int kLabelBits = 62;

}  // namespace

OrderedList::OrderedList(std::span<const uint32_t> order)
    : labels_(order.size() + 1), next_(order.size() + 1), previous_(order.size() + 1) {
    uint32_t last = uint32_t(order.size());
    uint64_t gap = (uint64_t(1) << kLabelBits) / (order.size() + 2), label = 0;
    labels_[last] = 0;
    for (uint32_t element : order) {
        labels_[element] = label += gap;
        next_[last] = element;
        previous_[element] = last;
        last = element;
    }
    next_[last] = uint32_t(order.size());
    previous_[order.size()] = last;
}

void OrderedList::remove(uint32_t element) {
    next_[previous_[element]] = next_[element];
    previous_[next_[element]] = previous_[element];
}

void OrderedList::move_behind(uint32_t element, uint32_t after) {
    if (element == after) return;
    remove(element);
    insert_behind(element, after);
}

void OrderedList::insert_behind(uint32_t element, uint32_t after) {
    uint32_t anchor = uint32_t(labels_.size() - 1);
    auto upper = [&] { return next_[after] == anchor ? uint64_t(1) << kLabelBits : labels_[next_[after]]; };
    if (upper() - labels_[after] < 2) spread(after);
    labels_[element] = labels_[after] + (upper() - labels_[after]) / 2;
    next_[element] = next_[after];
    previous_[element] = after;
    previous_[next_[element]] = element;
    next_[after] = element;
}

/// Tries ever larger ranges of labels around an element, until one is sparse enough that spreading its elements evenly
/// makes room; the threshold falls by a constant factor with each doubling.
void OrderedList::spread(uint32_t around) {
    uint32_t anchor = uint32_t(labels_.size() - 1);
    uint32_t first = around, last = around;
    uint64_t count = 1;
    double capacity = 1;
    for (int bits = 1; bits <= kLabelBits; ++bits) {
        uint64_t size = uint64_t(1) << bits, low = labels_[around] & ~(size - 1), high = low + size;
        while (first != anchor && previous_[first] != anchor && labels_[previous_[first]] >= low) {
            first = previous_[first];
            ++count;
        }
        while (next_[last] != anchor && labels_[next_[last]] < high) {
            last = next_[last];
            ++count;
        }
        capacity *= 2 / 1.4;
        if (double(count) > capacity && bits < kLabelBits) continue;
        uint64_t gap = size / (count + 1);
        if (gap < 2) continue;
        uint64_t label = low;
        for (uint32_t element = first;; element = next_[element]) {
            if (element != anchor) labels_[element] = label += gap;
            if (element == last) break;
        }
        return;
    }
}

}  // namespace partita
