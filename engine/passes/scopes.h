// Where the expressions of a module stand: in which function literal, branch and let body. An expression that is used
// in several places stands in the innermost scope that holds them all, for that is where it is evaluated.
//
// A region whose expressions stand in different functions can't become one call; nor may what runs in one branch only
// be evaluated always if it calls functions (it may never return) or changes references. Branches without such calls
// are no scopes here. Composites' functions are none either.
//
// Linear in the module; costs nothing but a look at each expression where a module has no let, if and inner function.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

class ScopeTable {
public:
    /// `order` is the post-order of the functions that are looked at.
    ScopeTable(const Module& module, std::span<const ExprId> order);

    /// False where every expression stands in the body of its global function.
    bool any() const { return !scope_of_.empty(); }
    /// The innermost function literal or branch: equal numbers, equal places. Lets are no boundary.
    uint32_t place(ExprId id) const { return any() ? scopes_[scope_of_[id.value]].place : 0; }
    /// For a let: the var of the let in whose body it stands, or invalid. That var is bound before the let's own.
    ExprId enclosing_let(ExprId let) const {
        uint32_t scope = scopes_[scope_of_[let.value]].nearest_let;
        return scope == 0 ? ExprId() : scopes_[scope].let_var;
    }

private:
    struct Scope {
        uint32_t parent = 0, depth = 0;
        uint32_t place = 0;        ///< nearest scope, this one included, that is no let body
        uint32_t nearest_let = 0;  ///< nearest scope, this one included, that is a let body; 0 is none
        ExprId let_var;
    };
    static constexpr uint32_t kUnknown = UINT32_MAX;

    static bool makes_scope(const Module& module, ExprId id);
    void find_impure(const Module& module, std::span<const ExprId> order);
    void place_operands(const Module& module, ExprId id);
    void use(ExprId operand, uint32_t scope);
    uint32_t open(uint32_t parent, ExprId let_var);
    uint32_t common(uint32_t a, uint32_t b) const;

    std::vector<uint32_t> scope_of_;  ///< by expression
    std::vector<Scope> scopes_;
    std::vector<bool> impure_;  ///< by expression: it, or something below it, calls a function or uses references
};

}  // namespace partita
