// The dependences in an annotated module, with each compiler's region as one vertex.
//
// Vertices: each region that is not `default`, by its root in a region set, and each other expression. Marks of
// `default` are transparent, because they vanish before regions become functions. A region depends on what its
// expressions use. A let-bound var depends on the value bound to it, and on the var of the enclosing let, which is
// bound before it: the value of the outer var cannot wait for the inner one.
#pragma once

#include <span>
#include <vector>

#include "engine/passes/region_set.h"
#include "engine/passes/scopes.h"

namespace partita {

class DependenceGraph {
public:
    /// Costs 4 bytes for each expression of the module and 4 for each region.
    DependenceGraph(const Module& module, RegionSet& regions, const ScopeTable& scopes, const MarkReader& reader,
                    std::span<const ExprId> order);

    /// Regions are numbered by their roots, other expressions by regions.size() + id.
    uint32_t vertex_of(ExprId id) const {
        int32_t region = region_of_[id.value];
        return region >= 0 ? uint32_t(region) : region_count_ + id.value;
    }
    uint32_t vertex_count() const { return region_count_ + uint32_t(region_of_.size()); }
    bool is_region(uint32_t vertex) const { return vertex < region_count_; }
    /// For a vertex that is not a region.
    ExprId expression(uint32_t vertex) const { return ExprId(vertex - region_count_); }

    /// Returns what an expression uses: operand number `index`, or what a let-bound var waits for. Invalid after the
    /// last.
    ExprId use(ExprId id, uint32_t index) const {
        std::span<const ExprId> operands = module_.operands(id);
        if (index < operands.size()) return behind_default(operands[index]);
        if (let_of_var_.empty() || !let_of_var_[id.value].valid() || index > 1) return ExprId();
        ExprId let = let_of_var_[id.value];
        ExprId outer = scopes_.enclosing_let(let);
        ExprId value = behind_default(module_.operands(let)[1]);
        if (index == 0) return outer.valid() ? outer : value;
        return outer.valid() ? value : ExprId();
    }

    // The expressions of a vertex that use something outside it: for (id = first(vertex); id.valid(); id = next(id)).
    ExprId first(uint32_t vertex) const { return is_region(vertex) ? first_[vertex] : expression(vertex); }
    ExprId next(ExprId id) const { return next_[id.value]; }

    /// Returns true for a mark of `default`.
    bool is_transparent(ExprId id) const { return region_of_[id.value] < 0 && reader_.mark(id) != Mark::None; }
    ExprId behind_default(ExprId id) const {
        while (is_transparent(id)) id = reader_.operand(id);
        return id;
    }
    /// Returns whether nothing can be reached from the expression.
    bool uses_nothing(ExprId id) const {
        return module_.operands(id).empty() && (let_of_var_.empty() || !let_of_var_[id.value].valid());
    }

    /// Returns the roots of regions whose expressions lie in different functions or branches (ScopeTable). The place of
    /// an end does not count.
    std::vector<uint32_t> scattered_regions() const;

    /// Returns the strongly connected components of more than one vertex: sets of regions and expressions that depend
    /// on each other. Tarjan 1972, iterative; linear.
    std::vector<std::vector<uint32_t>> cycles(std::span<const ExprId> order) const;

private:
    const Module& module_;
    const ScopeTable& scopes_;
    const MarkReader& reader_;
    uint32_t region_count_;
    std::vector<int32_t> region_of_;  ///< by expression: the root of its region, -1 for default and no region
    std::vector<ExprId> first_;       ///< by region
    std::vector<ExprId> next_;  ///< by expression: the next in its region; begins only, if values enter by them alone
    std::vector<ExprId> let_of_var_;  ///< by expression: the let that binds a var; empty if there is no let
};

}  // namespace partita
