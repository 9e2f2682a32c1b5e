// An annotated module as TVM's PartitionGraph sees it after its first two steps (FlattenTupleOutputs and
// RemoveDefaultAnnotations): `end((a, b))` is the tuple `(end(a), end(b))`, and marks of `default` are absent. A begin
// that only a let-bound value uses is absent too, because no region follows it.
//
// A view: expressions are not copied. An end of a tuple stands for the tuple of ends; its operands are the tuple's, and
// the reader must remember that each of them leaves its region there. Opaque functions are seen unchanged. Costs a byte
// for each expression and, if the view differs from the module, 4 for each operand; a query costs a load or two.
#pragma once

#include <span>
#include <vector>

#include "engine/ops/annotations.h"

namespace partita {

/// The same interface for a module without changes.
class MarkedModule {
public:
    MarkedModule(const Module& module, MarkReader& reader) : module_(module), reader_(reader) {}

    const Module& module() const { return module_; }
    Mark mark(ExprId id) const { return reader_.mark(id); }
    int32_t compiler(ExprId mark) const { return reader_.compiler(mark); }
    std::span<const ExprId> operands(ExprId id) const { return module_.operands(id); }
    bool is_tuple_of_ends(ExprId) const { return false; }

private:
    const Module& module_;
    MarkReader& reader_;
};

class NormalizedView {
public:
    NormalizedView(const Module& module, MarkReader& reader);

    const Module& module() const { return module_; }
    /// Returns the mark of a visible expression if its compiler is not `default`; else None.
    Mark mark(ExprId id) const {
        Role role = roles_[id.value];
        return role == Role::TupleOfEnds ? Mark::None : Mark(role);
    }
    int32_t compiler(ExprId mark) const { return reader_.compiler(mark); }
    /// Returns the operand of a mark.
    ExprId marked(ExprId mark) const { return operands(mark)[1]; }
    /// Returns whether the expression is an end, of any compiler, that stands for a tuple.
    bool is_tuple_of_ends(ExprId id) const { return roles_[id.value] == Role::TupleOfEnds; }
    /// Returns the tuple whose fields the end marks.
    ExprId tuple(ExprId tuple_of_ends) const { return operands_[module_[tuple_of_ends].operands_begin + 1]; }
    std::span<const ExprId> operands(ExprId id) const {
        return operands_.empty() ? module_.operands(id) : seen_operands(id);
    }

    /// Returns post_order(module, roots) of the view.
    std::vector<ExprId> post_order(std::span<const ExprId> roots) const;

private:
    enum class Role : uint8_t {
        Plain = uint8_t(Mark::None),
        Begin = uint8_t(Mark::Begin),
        End = uint8_t(Mark::End),
        TupleOfEnds
    };

    std::span<const ExprId> seen_operands(ExprId id) const {
        const Expr& expr = module_[is_tuple_of_ends(id) ? tuple(id) : id];
        return {operands_.data() + expr.operands_begin, expr.operand_count};
    }
    std::vector<ExprId> find_roles();
    void note_operands(const std::vector<ExprId>& seen_for);
    ExprId without_begins(ExprId operand) const;

    const Module& module_;
    MarkReader& reader_;
    std::vector<Role> roles_;       ///< by expression
    std::vector<ExprId> operands_;  ///< by Expr::operands_begin; empty: as in the module. A tuple of ends holds its
                                    ///< tuple
};

}  // namespace partita
