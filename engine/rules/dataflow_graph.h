// One function's expressions in order, with their data flow and post-dominators: the graph that patterns are matched
// against. As TVM's IndexedGraph (src/relay/ir/indexed_graph.h, .cc).
//
// A let-bound variable takes its data from the bound value; parameters have no source. Building is linear in the
// function; the post-dominator tree is built on first use in O(n log n), and then answers in O(log n) with jump
// pointers (Myers, "An applicative random-access stack", 1983).
#pragma once

#include <span>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

/// By ExprId; shared by the graphs of a module's functions, of which one is in use at a time.
using PositionTable = std::vector<uint32_t>;

class DataflowGraph {
public:
    static constexpr uint32_t kNone = ~0u;

    /// `positions` has an entry for each expression of the module, all kNone; the graph restores its entries.
    DataflowGraph(const Module& module, ExprId function, PositionTable& positions);
    ~DataflowGraph();
    DataflowGraph(const DataflowGraph&) = delete;
    DataflowGraph& operator=(const DataflowGraph&) = delete;

    const Module& module() const { return module_; }
    /// Returns operands before users; the function is the last.
    std::span<const ExprId> order() const { return order_; }
    /// Returns kNone for an expression outside the function.
    uint32_t position(ExprId id) const { return positions_[id.value]; }

    /// Returns the positions of the expressions that take data from the one at `position`.
    std::span<const uint32_t> outputs(uint32_t position) const {
        return {outputs_.data() + outputs_begin_[position], outputs_begin_[position + 1] - outputs_begin_[position]};
    }
    /// Calls body(operand) for each expression that the one at `position` takes data from, in order.
    template <class Body>
    void for_each_input(uint32_t position, Body body) const {
        ExprId id = order_[position];
        std::span<const ExprId> operands = module_.operands(id);
        switch (module_.kind(id)) {
            case ExprKind::Function: body(operands.back()); break;
            case ExprKind::Let: body(operands[2]); break;
            case ExprKind::Var:
                if (!let_values_.empty() && let_values_[position].valid()) body(let_values_[position]);
                break;
            default:
                for (ExprId operand : operands) body(operand);
                break;
        }
    }

    /// Returns whether all data that leaves `other` passes through `dominator`, and they differ.
    bool post_dominates(uint32_t dominator, uint32_t other);
    /// Returns the expressions immediately post-dominated by the one at `position`, the last first.
    std::vector<uint32_t> dominated_by(uint32_t position);

private:
    void order_expressions(ExprId function);
    void connect();
    void build_dominators();
    uint32_t common_dominator(uint32_t a, uint32_t b) const;
    uint32_t ancestor_at(uint32_t position, uint32_t depth) const;

    const Module& module_;
    PositionTable& positions_;
    std::vector<ExprId> order_;
    std::vector<ExprId> let_values_;  ///< by position of a let-bound variable; empty without lets
    std::vector<uint32_t> outputs_begin_, outputs_;
    std::vector<uint32_t> parent_, jump_, depth_;  ///< of the post-dominator tree
    std::vector<uint32_t> children_begin_, children_;
};

}  // namespace partita
