// A selection as the body of a function: its inputs from outside and its results. Internal to this folder.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/edits/draft.h"

namespace partita {

class SelectionBody {
public:
    /// `selection`: calls, tuples and projections of one global function; vars and constants are ignored.
    SelectionBody(const Module& module, std::span<const ExprId> selection);

    /// Returns why the selection cannot be a body, if so.
    const std::optional<EditFault>& fault() const { return fault_; }
    /// Returns a member that depends on the selection's own results through an expression outside it.
    std::optional<EditFault> find_way_back() const;
    /// Adds the function to the draft.
    ExprId make_function(Draft& draft) const;

    const std::vector<ExprId>& inputs() const { return inputs_; }
    const std::vector<ExprId>& outputs() const { return outputs_; }
    const std::vector<ExprId>& members() const { return members_; }
    ExprId function() const { return function_; }

private:
    bool is_member(ExprId id) const { return in_[id.value]; }
    /// Returns the value of a let-bound name; any other expression itself.
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
