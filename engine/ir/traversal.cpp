#include "engine/ir/traversal.h"

#include <utility>

#include "engine/support/large_memory.h"

namespace partita {

std::vector<ExprId> post_order(const Module& module, ExprId root) { return post_order(module, std::span(&root, 1)); }

std::vector<ExprId> post_order(const Module& module, std::span<const ExprId> roots) {
    struct Frame {
        ExprId id;
        const ExprId *next, *end;  ///< operands that are still to be entered
    };
    std::vector<ExprId> order;
    reserve_in_large_pages(order, module.size());
    std::vector<uint8_t> entered;
    fill_in_large_pages(entered, module.size());
    std::vector<Frame> stack;
    auto frame_of = [&](ExprId id) {
        std::span<const ExprId> operands = module.operands(id);
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

UserTable::UserTable(const Module& module, std::span<const ExprId> order) : begin_(module.size() + 1) {
    for (ExprId id : order)
        for (ExprId operand : module.operands(id)) ++begin_[operand.value + 1];
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    list_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (ExprId id : order)
        for (ExprId operand : module.operands(id)) list_[next[operand.value]++] = id;
}

std::span<const ExprId> ModuleCopier::operand_images(ExprId old) {
    operands_.clear();
    for (ExprId operand : from_.operands(old)) operands_.push_back(image_[operand.value]);
    return operands_;
}

ExprId ModuleCopier::copy(ExprId old) {
    ExprId made = to_.add_like(from_, old, operand_images(old));
    set_image(old, made);
    return made;
}

ExprId ModuleCopier::copy_all(ExprId root) {
    for (ExprId id : post_order(from_, root))
        if (!has(id)) copy(id);
    return image(root);
}

Module copy_module(const Module& module) {
    Module copy = Module::with_tables_of(module);
    ModuleCopier copier(module, copy);
    for (const GlobalFunction& global : module.functions())
        copy.set_function(module.names().text(global.name), copier.copy_all(global.function));
    copy.set_typed(module.typed());
    return copy;
}

}  // namespace partita
