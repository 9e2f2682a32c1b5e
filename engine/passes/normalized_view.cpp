#include "engine/passes/normalized_view.h"

#include "engine/ir/traversal.h"

namespace partita {

NormalizedView::NormalizedView(const Module& module, MarkReader& reader)
    : module_(module), reader_(reader), roles_(module.size(), Role::Plain), stands_for_(module.size()) {
    for (uint32_t i = 0; i < module.size(); ++i) {
        ExprId id(i);
        stands_for_[i] = id;
        if (module.kind(id) == ExprKind::Let) roles_[i] = Role::Let;
        Mark mark = reader.mark(id);
        if (mark == Mark::None) continue;
        ExprId operand = stands_for_[reader.operand(id).value];
        if (mark == Mark::End && (module.kind(operand) == ExprKind::Tuple || is_tuple_of_ends(operand)))
            roles_[i] = Role::TupleOfEnds;
        else if (reader.compiler(id) == CompilerNames::kDefault) stands_for_[i] = operand;
        else roles_[i] = mark == Mark::Begin ? Role::Begin : Role::End;
    }
    for (const GlobalFunction& global : module.functions())
        if (is_opaque_function(module, global.function)) leave_alone(global.function);
}

void NormalizedView::leave_alone(ExprId function) {
    for (ExprId id : partita::post_order(module_, function)) {
        stands_for_[id.value] = id;
        roles_[id.value] = Role::Plain;
    }
}

ExprId NormalizedView::tuple(ExprId tuple_of_ends) const {
    ExprId id = tuple_of_ends;
    while (is_tuple_of_ends(id)) id = stands_for_[reader_.operand(id).value];
    return id;
}

ExprId NormalizedView::without_begins(ExprId operand, size_t index) const {
    constexpr size_t kValue = 1;
    while (index == kValue && reader_.mark(operand) == Mark::Begin) operand = reader_.operand(operand);
    return operand;
}

std::vector<ExprId> NormalizedView::post_order(std::span<const ExprId> roots) const {
    struct Frame {
        ExprId id;
        uint32_t next, count;
    };
    std::vector<ExprId> order;
    order.reserve(module_.size());
    std::vector<uint8_t> entered(module_.size());
    std::vector<Frame> stack;
    for (ExprId root : roots) {
        if (entered[root.value]) continue;
        entered[root.value] = 1;
        Frame frame{root, 0, uint32_t(operand_count(root))};
        for (;;) {
            if (frame.next < frame.count) {
                ExprId inner = operand(frame.id, frame.next++);
                if (entered[inner.value]) continue;
                entered[inner.value] = 1;
                uint32_t count = uint32_t(operand_count(inner));
                if (count == 0) {
                    order.push_back(inner);
                } else {
                    stack.push_back(frame);
                    frame = {inner, 0, count};
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
