// The traversal behind post_order() of traversal.h, for graphs whose operands a function returns.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/large_memory.h"

namespace partita {

/// Appends each expression that `roots` reach once, operands before users. Linear, without recursion. `operands_of(id)`
/// returns a std::span<const ExprId> that stays valid during the traversal; `enter(id)` returns whether it is entered
/// for the first time.
template <class OperandsOf, class Enter>
void walk_post_order(std::vector<ExprId>& order, std::span<const ExprId> roots, const OperandsOf& operands_of,
                     Enter enter) {
    struct Frame {
        ExprId id;
        const ExprId *next, *end;  ///< operands that are not entered yet
    };
    std::vector<Frame> stack;
    auto frame_of = [&](ExprId id) {
        std::span<const ExprId> operands = operands_of(id);
        return Frame{id, operands.data(), operands.data() + operands.size()};
    };
    for (ExprId root : roots) {
        if (!enter(root)) continue;
        // The innermost frame is not on the stack: leaves, which are half of all expressions, never reach it.
        Frame frame = frame_of(root);
        for (;;) {
            if (frame.next != frame.end) {
                ExprId operand = *frame.next++;
                if (!enter(operand)) continue;
                Frame inner = frame_of(operand);
                if (inner.next == inner.end) {
                    order.push_back(operand);
                } else {
                    stack.push_back(frame);
                    frame = inner;
                }
                continue;
            }
            order.push_back(frame.id);
            if (stack.empty()) break;
            frame = stack.back();
            stack.pop_back();
        }
    }
}

/// The expressions that a short traversal entered, without a table of the module's size.
class FewEntered {
public:
    /// Returns whether the expression is new. Refuses all once there are too many.
    bool enter(ExprId id) {
        if (count_ == kMost) too_many_ = true;
        if (too_many_) return false;
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        for (uint32_t slot = id.value * 2654435769u >> kShift;; slot = (slot + 1) % kSlots) {
            if (slots_[slot] == id.value + 1) return false;
            if (slots_[slot]) continue;
            slots_[slot] = id.value + 1;
            ++count_;
            return true;
        }
    }
    bool too_many() const { return too_many_; }

private:
    static constexpr uint32_t kShift = 23, kSlots = 1u << (32 - kShift), kMost = kSlots / 2;
    std::array<uint32_t, kSlots> slots_{};
    uint32_t count_ = 0;
    bool too_many_ = false;
};

/// Returns the order of all that `roots` reach; ids are below `count`. A traversal that reaches little costs what it
/// reaches.
template <class OperandsOf>
std::vector<ExprId> post_order_of(size_t count, std::span<const ExprId> roots, const OperandsOf& operands_of) {
    constexpr size_t kSmallTable = 4096;
    std::vector<ExprId> order;
    if (count > kSmallTable) {
        FewEntered few;
        walk_post_order(order, roots, operands_of, [&few](ExprId id) { return few.enter(id); });
        if (!few.too_many()) return order;
        order.clear();
    }
    reserve_in_large_pages(order, count);
    std::vector<uint8_t> entered;
    fill_in_large_pages(entered, count);
    walk_post_order(order, roots, operands_of, [&entered](ExprId id) { return !std::exchange(entered[id.value], 1); });
    return order;
}

}  // namespace partita
