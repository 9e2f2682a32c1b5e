#include "engine/passes/normalized_view.h"

#include <algorithm>

#include "engine/ir/post_order.h"
#include "engine/ir/traversal.h"
#include "engine/support/large_memory.h"

namespace partita {

NormalizedView::NormalizedView(const Module& module, MarkReader& reader) : module_(module), reader_(reader) {
    fill_in_large_pages(roles_, module.size(), Role::Plain);
    std::vector<ExprId> seen_for = find_roles();
    std::vector<ExprId> opaque;
    for (const GlobalFunction& global : module.functions())
        if (is_opaque_function(module, global.function)) opaque.push_back(global.function);
    opaque = partita::post_order(module, opaque);
    for (ExprId id : opaque) {
        roles_[id.value] = Role::Plain;
        if (!seen_for.empty()) seen_for[id.value] = id;
    }
    if (seen_for.empty()) return;
    note_operands(seen_for);
    for (ExprId id : opaque)
        std::copy_n(module.operands(id).begin(), module.operands(id).size(),
                    operands_.data() + module[id].operands_begin);
}

/// Also returns, by expression, its replacement in the view; empty if none is replaced and no let or tuple of ends
/// hides one.
std::vector<ExprId> NormalizedView::find_roles() {
    std::vector<ExprId> seen_for;
    auto need_seen_for = [&] {
        if (!seen_for.empty()) return;
        fill_in_large_pages(seen_for, module_.size());
        for (uint32_t i = 0; i < module_.size(); ++i) seen_for[i] = ExprId(i);
    };
    for (uint32_t i = 0; i < module_.size(); ++i) {
        ExprId id(i);
        if (module_.kind(id) == ExprKind::Let) need_seen_for();
        Mark mark = reader_.mark(id);
        if (mark == Mark::None) continue;
        ExprId operand = reader_.operand(id);
        if (!seen_for.empty()) operand = seen_for[operand.value];
        if (mark == Mark::End && (module_.kind(operand) == ExprKind::Tuple || is_tuple_of_ends(operand))) {
            need_seen_for();
            roles_[i] = Role::TupleOfEnds;
        } else if (reader_.compiler(id) == CompilerNames::kDefault) {
            need_seen_for();
            seen_for[i] = operand;
        } else {
            roles_[i] = mark == Mark::Begin ? Role::Begin : Role::End;
        }
    }
    return seen_for;
}

void NormalizedView::note_operands(const std::vector<ExprId>& seen_for) {
    size_t count = 0;
    for (uint32_t i = 0; i < module_.size(); ++i) count += module_[ExprId(i)].operand_count;
    fill_in_large_pages(operands_, count);
    for (uint32_t i = 0; i < module_.size(); ++i) {
        ExprId id(i);
        std::span<const ExprId> operands = module_.operands(id);
        ExprId* made = operands_.data() + module_[id].operands_begin;
        for (size_t k = 0; k < operands.size(); ++k) made[k] = seen_for[operands[k].value];
        if (module_.kind(id) == ExprKind::Let) made[1] = seen_for[without_begins(operands[1]).value];
        else if (is_tuple_of_ends(id) && is_tuple_of_ends(made[1])) made[1] = tuple(made[1]);
    }
}

ExprId NormalizedView::without_begins(ExprId operand) const {
    while (reader_.mark(operand) == Mark::Begin) operand = reader_.operand(operand);
    return operand;
}

std::vector<ExprId> NormalizedView::post_order(std::span<const ExprId> roots) const {
    if (operands_.empty()) return partita::post_order(module_, roots);
    return post_order_of(module_.size(), roots, [this](ExprId id) { return seen_operands(id); });
}

}  // namespace partita
