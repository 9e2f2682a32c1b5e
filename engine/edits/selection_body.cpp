#include "engine/edits/selection_body.h"

#include <set>

#include "engine/edits/edit_support.h"
#include "engine/ir/traversal.h"

namespace partita {

SelectionBody::SelectionBody(const Module& module, std::span<const ExprId> selection)
    : module_(module), in_(module.size()) {
    find_members(selection);
    if (!fault_) find_border();
}

void SelectionBody::find_members(std::span<const ExprId> selection) {
    for (ExprId id : selection) {
        if ((fault_ = check_expression(module_, id))) return;
        const ExprKind kind = module_.kind(id);
        if (kind == ExprKind::Var || kind == ExprKind::Constant) continue;
        if (kind != ExprKind::Call && kind != ExprKind::Tuple && kind != ExprKind::Projection) {
            fault_ =
                edit_fault({SENTENCE("Engine", "only calls, tuples and projections can go into a function"), {}}, id);
            return;
        }
        in_[id.value] = true;
        if (!function_.valid()) function_ = function_of(module_, id);
    }
    if (!function_.valid()) {
        fault_ = edit_fault({SENTENCE("Engine", "select the operators first"), {}});
        return;
    }
    order_ = post_order(module_, function_);
    std::vector<bool> reached(module_.size());
    for (ExprId id : order_) {
        reached[id.value] = true;
        if (is_member(id)) members_.push_back(id);
        if (module_.kind(id) == ExprKind::Let) let_value_[module_.operands(id)[0].value] = module_.operands(id)[1];
    }
    for (ExprId id : selection)
        if (is_member(id) && !reached[id.value])
            fault_ = edit_fault({SENTENCE("Engine", "the selection lies in several functions"), {}}, id);
}

ExprId SelectionBody::value_of(ExprId id) const {
    auto found = let_value_.find(id.value);
    return found == let_value_.end() ? id : found->second;
}

/// Returns whether a function literal reads nothing from outside.
bool SelectionBody::is_closed(ExprId literal) const {
    std::unordered_set<uint32_t> bound;
    const std::vector<ExprId> inside = post_order(module_, literal);
    for (ExprId id : inside) {
        if (module_.kind(id) == ExprKind::Function)
            for (ExprId parameter : module_.parameters(id)) bound.insert(parameter.value);
        if (module_.kind(id) == ExprKind::Let) bound.insert(module_.operands(id)[0].value);
    }
    for (ExprId id : inside)
        if (module_.kind(id) == ExprKind::Var && !bound.count(id.value)) return false;
    return true;
}

/// Returns whether an operand is copied together with the expression that uses it.
bool SelectionBody::goes_along(ExprId operand) const {
    switch (module_.kind(operand)) {
        case ExprKind::Op:
        case ExprKind::GlobalVar:
        case ExprKind::Constant: return true;
        case ExprKind::Function: return is_closed(operand);
        default: return is_member(value_of(operand));
    }
}

void SelectionBody::find_border() {
    std::set<ExprId> inputs;
    std::vector<bool> read(module_.size());
    for (ExprId id : order_) {
        std::span<const ExprId> operands = module_.operands(id);
        for (ExprId operand : operands) {
            if (!is_member(id)) {
                read[operand.value] = true;
            } else if (!goes_along(operand) && inputs.insert(operand).second) {
                inputs_.push_back(operand);
            }
        }
    }
    for (ExprId id : members_)
        if (read[id.value]) outputs_.push_back(id);
}

std::optional<EditFault> SelectionBody::find_way_back() const {
    std::vector<bool> after(module_.size());
    for (ExprId id : order_) {
        if (module_.kind(id) == ExprKind::Var) continue;
        bool depends = false;
        for (ExprId operand : module_.operands(id)) {
            const ExprId value = value_of(operand);
            if (is_member(id) && after[value.value])
                return edit_fault(
                    {SENTENCE(
                         "Engine",
                         "the selection would depend on itself: %1 uses something outside that uses the selection"),
                     {op_name(module_, id)}},
                    id);
            depends |= after[value.value] || is_member(value);
        }
        after[id.value] = depends && !is_member(id);
    }
    return {};
}

ExprId SelectionBody::make_function(Draft& draft) const {
    std::unordered_map<uint32_t, ExprId> image;
    std::vector<ExprId> parameters;
    std::set<std::string, std::less<>> taken;
    for (ExprId input : inputs_) {
        const bool named = module_.kind(input) == ExprKind::Var;
        const std::string base = named ? std::string(module_.name(input)) : "input" + std::to_string(parameters.size());
        std::string name = base;
        for (int i = 1; !taken.insert(name).second; ++i) name = base + "_" + std::to_string(i);
        parameters.push_back(draft.add_var(name, module_.type(input)));
        image[input.value] = parameters.back();
    }
    for (ExprId id : members_) {
        for (ExprId operand : module_.operands(id)) {
            const ExprId value = value_of(operand);
            if (value != operand && is_member(value)) image[operand.value] = image.at(value.value);
        }
        draft.copy(id, image);
    }
    if (outputs_.size() == 1) return draft.add_function(parameters, image.at(outputs_[0].value), {});
    std::vector<ExprId> fields;
    for (ExprId output : outputs_) fields.push_back(image.at(output.value));
    return draft.add_function(parameters, draft.add(ExprKind::Tuple, 0, fields), {});
}

}  // namespace partita
