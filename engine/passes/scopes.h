// The scope of each expression: its function literal, branch and let body. An expression with several uses lies in the
// innermost scope that holds them all, because that is where it is evaluated.
//
// A region whose expressions lie in different functions cannot become one call; nor may an expression of one branch be
// evaluated always: it may fail (an integer divided by zero, an index out of range), take long, never return, or change
// references. Composites' functions are no scopes here.
//
// Linear in the module; if it has no let, if and inner function, costs only one check of each expression.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

class ScopeTable {
public:
    /// `order` is the post-order of the visited functions.
    ScopeTable(const Module& module, std::span<const ExprId> order);

    /// Returns false if every expression lies in the body of its global function.
    bool any() const { return !scope_of_.empty(); }
    /// Returns the innermost function literal or branch: equal numbers, equal places. Lets are no boundary.
    uint32_t place(ExprId id) const { return any() ? scopes_[scope_of_[id.value]].place : 0; }
    /// Returns whether a place is another one or lies in it.
    bool lies_in(uint32_t place, uint32_t outer) const;
    /// For a let: returns the var of the let whose body contains it, or invalid. That var is bound before the let's
    /// own.
    ExprId enclosing_let(ExprId let) const {
        uint32_t scope = scopes_[scope_of_[let.value]].nearest_let;
        return scope == 0 ? ExprId() : scopes_[scope].let_var;
    }

private:
    struct Scope {
        uint32_t parent = 0, depth = 0;
        uint32_t place = 0;        ///< nearest scope, including this one, that is not a let body
        uint32_t nearest_let = 0;  ///< nearest scope, including this one, that is a let body; 0: none
        ExprId let_var;
    };
    static constexpr uint32_t kUnknown = UINT32_MAX;

    static bool makes_scope(const Module& module, ExprId id);
    void place_operands(const Module& module, ExprId id);
    void use(ExprId operand, uint32_t scope);
    uint32_t open(uint32_t parent, ExprId let_var);
    uint32_t common(uint32_t a, uint32_t b) const;

    std::vector<uint32_t> scope_of_;  ///< by expression
    std::vector<Scope> scopes_;
};

}  // namespace partita
