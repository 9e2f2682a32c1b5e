// The walk behind post_order() of traversal.h, for graphs whose operands are told by a function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/large_memory.h"

namespace partita {

/// Operands before users, each expression that `roots` reach once; ids are below `count`. Linear, without recursion.
/// `operands_of(id)` gives a std::span<const ExprId> that stays valid during the walk.
template <class OperandsOf>
std::vector<ExprId> post_order_of(size_t count, std::span<const ExprId> roots, const OperandsOf& operands_of) {
    struct Frame {
        ExprId id;
        const ExprId *next, *end;  ///< operands that are still to be entered
    };
    std::vector<ExprId> order;
    reserve_in_large_pages(order, count);
    std::vector<uint8_t> entered;
    fill_in_large_pages(entered, count);
    std::vector<Frame> stack;
    auto frame_of = [&](ExprId id) {
        std::span<const ExprId> operands = operands_of(id);
        return Frame{id, operands.data(), operands.data() + operands.size()};
    };
    for (ExprId root : roots) {
        if (entered[root.value]) continue;
        entered[root.value] = 1;
        // The innermost frame is kept apart: leaves, which are half of all expressions, never reach the stack.
        Frame frame = frame_of(root);
        for (;;) {
            if (frame.next != frame.end) {
                ExprId operand = *frame.next++;
                if (entered[operand.value]) continue;
                entered[operand.value] = 1;
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
    return order;
}

}  // namespace partita
