// A selection as the body of a function: what it reads from outside, what is read of it. Not part of the room's face.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/edits/draft.h"

namespace partita {

class SelectionBody {
public:
    /// `selection`: calls, tuples and projections of one global function; vars and constants in it don't count.
    SelectionBody(const Module& module, std::span<const ExprId> selection);

    /// Why the selection can't be a body, if it can't.
    const std::optional<EditFault>& fault() const { return fault_; }
    /// A member that depends on the selection's own results by way of something outside it.
    std::optional<EditFault> find_way_back() const;
    /// Adds the function to the draft.
    ExprId make_function(Draft& draft) const;

    const std::vector<ExprId>& inputs() const { return inputs_; }
    const std::vector<ExprId>& outputs() const { return outputs_; }
    const std::vector<ExprId>& members() const { return members_; }
    ExprId function() const { return function_; }

private:
    bool is_member(ExprId id) const { return in_[id.value]; }
    /// What a let-bound name stands for; any other expression itself.
    ExprId value_of(ExprId id) const;
    bool goes_along(ExprId operand) const;
    bool is_closed(ExprId literal) const;
    void find_members(std::span<const ExprId> selection);
    void find_border();

    const Module& module_;
    ExprId function_;
    std::vector<ExprId> order_, members_, inputs_, outputs_;
    std::vector<bool> in_;
    std::unordered_map<uint32_t, ExprId> let_value_;
    std::optional<EditFault> fault_;
};

}  // namespace partita
