// An annotated module as TVM's PartitionGraph sees it after its first two steps (FlattenTupleOutputs and
// RemoveDefaultAnnotations): `end((a, b))` is the tuple `(end(a), end(b))`, and marks of `default` are not there. A begin
// that only a let-bound value has is not there either: no region stands behind it.
//
// A view: nothing is copied. An end of a tuple is itself taken for the tuple of ends; its operands are the tuple's, and
// that each of them leaves its region there is for the reader to remember. Functions that are opaque are seen as they
// are. Costs 5 bytes for each expression; a question costs a load or two.
#pragma once

#include <span>
#include <vector>

#include "engine/passes/annotations.h"

namespace partita {

/// The same questions answered for a module as it stands.
class MarkedModule {
public:
    MarkedModule(const Module& module, MarkReader& reader) : module_(module), reader_(reader) {}

    const Module& module() const { return module_; }
    Mark mark(ExprId id) const { return reader_.mark(id); }
    int32_t compiler(ExprId mark) const { return reader_.compiler(mark); }
    size_t operand_count(ExprId id) const { return module_.operands(id).size(); }
    ExprId operand(ExprId id, size_t index) const { return module_.operands(id)[index]; }
    bool is_tuple_of_ends(ExprId) const { return false; }

private:
    const Module& module_;
    MarkReader& reader_;
};

class NormalizedView {
public:
    NormalizedView(const Module& module, MarkReader& reader);

    const Module& module() const { return module_; }
    /// Of an expression that is seen: None, or a mark of a compiler that is not `default`.
    Mark mark(ExprId id) const {
        Role role = roles_[id.value];
        return role == Role::Begin ? Mark::Begin : role == Role::End ? Mark::End : Mark::None;
    }
    int32_t compiler(ExprId mark) const { return reader_.compiler(mark); }
    /// The operand of a mark.
    ExprId marked(ExprId mark) const { return operand(mark, 1); }
    /// Whether it is an end, of any compiler, that stands for a tuple.
    bool is_tuple_of_ends(ExprId id) const { return roles_[id.value] == Role::TupleOfEnds; }
    /// The tuple whose fields it marks.
    ExprId tuple(ExprId tuple_of_ends) const;

    std::span<const ExprId> operands(ExprId id) const = delete;  // they are to be looked at one by one
    size_t operand_count(ExprId id) const { return raw_operands(id).size(); }
    ExprId operand(ExprId id, size_t index) const {
        ExprId raw = raw_operands(id)[index];
        return stands_for_[(roles_[id.value] == Role::Let ? without_begins(raw, index) : raw).value];
    }

    /// As post_order(module, roots), of what is seen.
    std::vector<ExprId> post_order(std::span<const ExprId> roots) const;

private:
    enum class Role : uint8_t { Plain, Begin, End, TupleOfEnds, Let };

    void leave_alone(ExprId function);
    std::span<const ExprId> raw_operands(ExprId id) const {
        return module_.operands(is_tuple_of_ends(id) ? tuple(id) : id);
    }
    ExprId without_begins(ExprId operand, size_t index) const;

    const Module& module_;
    MarkReader& reader_;
    std::vector<Role> roles_;         ///< by expression
    std::vector<ExprId> stands_for_;  ///< by expression: what is seen in its place
};

}  // namespace partita
