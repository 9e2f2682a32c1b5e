#include "engine/passes/scopes.h"

#include <algorithm>

#include "engine/ops/annotations.h"

namespace partita {

ScopeTable::ScopeTable(const Module& module, std::span<const ExprId> order) {
    std::vector<ExprId> globals;
    for (const GlobalFunction& global : module.functions()) globals.push_back(global.function);
    std::sort(globals.begin(), globals.end());
    auto is_global = [&](ExprId id) { return std::binary_search(globals.begin(), globals.end(), id); };
    auto is_needed_for = [&](ExprId id) { return makes_scope(module, id) && !is_global(id); };
    // Most modules have none, which a walk in memory order finds out several times faster.
    uint32_t any = 0;
    while (any < module.size() && !is_needed_for(ExprId(any))) ++any;
    if (any == module.size() || std::none_of(order.begin(), order.end(), is_needed_for)) return;
    scopes_.emplace_back();  // 0: the bodies of all global functions; no region shares expressions of two
    scope_of_.assign(module.size(), kUnknown);
    for (size_t i = order.size(); i-- > 0;) {
        ExprId id = order[i];
        if (scope_of_[id.value] == kUnknown) scope_of_[id.value] = 0;
        if (is_global(id)) {
            for (ExprId operand : module.operands(id)) use(operand, 0);
        } else {
            place_operands(module, id);
        }
    }
    for (uint32_t& scope : scope_of_)
        if (scope == kUnknown) scope = 0;
}

bool ScopeTable::makes_scope(const Module& module, ExprId id) {
    switch (module.kind(id)) {
        case ExprKind::Let:
        case ExprKind::If: return true;
        case ExprKind::Function: return !is_composite(module, id);
        default: return false;
    }
}

void ScopeTable::place_operands(const Module& module, ExprId id) {
    uint32_t scope = scope_of_[id.value];
    std::span<const ExprId> operands = module.operands(id);
    switch (module.kind(id)) {
        case ExprKind::Let:
            use(operands[0], scope);
            use(operands[1], scope);
            use(operands[2], open(scope, operands[0]));
            break;
        case ExprKind::If:
            use(operands[0], scope);
            for (ExprId branch : operands.subspan(1)) use(branch, open(scope, ExprId()));
            break;
        case ExprKind::Function: {
            uint32_t inner = is_composite(module, id) ? scope : open(scope, ExprId());
            for (ExprId operand : operands) use(operand, inner);
            break;
        }
        default:
            for (ExprId operand : operands) use(operand, scope);
    }
}

void ScopeTable::use(ExprId operand, uint32_t scope) {
    uint32_t& known = scope_of_[operand.value];
    known = known == kUnknown ? scope : common(known, scope);
}

uint32_t ScopeTable::open(uint32_t parent, ExprId let_var) {
    uint32_t scope = uint32_t(scopes_.size());
    const Scope& above = scopes_[parent];
    Scope made{parent, above.depth + 1, above.place, above.nearest_let, let_var};
    (let_var.valid() ? made.nearest_let : made.place) = scope;
    scopes_.push_back(made);
    return scope;
}

bool ScopeTable::lies_in(uint32_t place, uint32_t outer) const {
    while (place != outer && any() && scopes_[place].depth > scopes_[outer].depth) place = scopes_[place].parent;
    return place == outer;
}

uint32_t ScopeTable::common(uint32_t a, uint32_t b) const {
    while (a != b) {
        uint32_t& deeper = scopes_[a].depth >= scopes_[b].depth ? a : b;
        deeper = scopes_[deeper].parent;
    }
    return a;
}

}  // namespace partita
