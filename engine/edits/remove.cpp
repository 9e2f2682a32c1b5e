// Removing expressions and rewiring their users; rewiring alone.
#include <algorithm>
#include <unordered_set>

#include "engine/edits/edit_support.h"
#include "engine/ir/traversal.h"

namespace partita {

namespace {

/// Returns what replaces a removed expression: its first operand of the same type, else its first operand.
ExprId successor_of(const Module& module, ExprId id) {
    std::span<const ExprId> operands = module.operands(id);
    if (module.kind(id) == ExprKind::Call) operands = operands.subspan(1);
    for (ExprId operand : operands)
        if (module.type(operand).valid() && module.type(operand) == module.type(id)) return operand;
    return operands.empty() ? ExprId() : operands.front();
}

class Removal {
public:
    Removal(const Module& module, std::span<const ExprId> expressions)
        : module_(module), draft_(module), removed_(expressions.begin(), expressions.end()) {}

    EditResult run(std::span<const ExprId> expressions) {
        for (ExprId id : expressions) {
            if (std::optional<EditFault> fault = check_expression(module_, id)) return *fault;
            if (std::optional<EditFault> fault = remove(id)) return *fault;
        }
        if (std::optional<EditFault> fault = remove_parameters()) return *fault;
        return draft_.finish(expressions.empty() ? ExprId() : expressions.front(), {});
    }

private:
    std::optional<EditFault> remove(ExprId id) {
        switch (module_.kind(id)) {
            case ExprKind::Call:
            case ExprKind::Tuple: {
                const ExprId instead = successor_of(module_, id);
                if (!instead.valid())
                    return edit_fault({SENTENCE("Engine", "it has no operand that could replace it"), {}}, id);
                draft_.replace_uses(id, instead);
                return {};
            }
            case ExprKind::Projection: {
                const ExprId tuple = module_.operands(id)[0];
                const bool open = module_.kind(tuple) == ExprKind::Tuple;
                draft_.replace_uses(id, open ? module_.operands(tuple)[module_.projection_index(id)] : tuple);
                return {};
            }
            case ExprKind::Var: parameters_.push_back(id); return {};
            case ExprKind::Constant:
                return edit_fault({SENTENCE("Engine", "a constant is removed with its last user"), {}}, id);
            default: return edit_fault({SENTENCE("Engine", "this can't be removed"), {}}, id);
        }
    }

    /// Redirects projections of a removed tuple to its fields.
    void open_tuples(std::span<const ExprId> order) {
        for (ExprId id : order) {
            if (module_.kind(id) != ExprKind::Projection) continue;
            const ExprId tuple = module_.operands(id)[0];
            if (removed_.count(tuple) && module_.kind(tuple) == ExprKind::Tuple)
                draft_.replace_uses(id, module_.operands(tuple)[module_.projection_index(id)]);
        }
    }

    std::optional<EditFault> remove_parameters() {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        const std::vector<ExprId> order = post_order(module_, roots);
        open_tuples(order);
        if (parameters_.empty()) return {};
        for (ExprId id : order) {
            // A removed expression no longer uses anything.
            if (removed_.count(id) || module_.kind(id) == ExprKind::Function) continue;
            std::span<const ExprId> operands = module_.operands(id);
            for (ExprId operand : operands)
                if (module_.kind(operand) == ExprKind::Var && removed_.count(operand))
                    return edit_fault(
                        {SENTENCE("Engine", "%1 is still used"), {"%" + std::string(module_.name(operand))}}, id);
        }
        for (const GlobalFunction& global : module_.functions()) shorten(global, order);
        for (ExprId parameter : parameters_)
            if (!gone_.count(parameter))
                return edit_fault({SENTENCE("Engine", "only a parameter of a global function can be removed"), {}},
                                  parameter);
        return {};
    }

    /// Removes parameters from a function, and their arguments from its calls.
    void shorten(const GlobalFunction& global, std::span<const ExprId> order) {
        std::span<const ExprId> parameters = module_.parameters(global.function);
        std::vector<bool> goes(parameters.size());
        for (size_t i = 0; i < parameters.size(); ++i) goes[i] = removed_.count(parameters[i]) > 0;
        if (std::find(goes.begin(), goes.end(), true) == goes.end()) return;
        std::vector<ExprId> kept;
        for (size_t i = 0; i < parameters.size(); ++i) {
            if (goes[i]) gone_.insert(parameters[i]);
            else kept.push_back(parameters[i]);
        }
        kept.push_back(draft_.value_used_for(module_.body(global.function)));
        draft_.set_operands(global.function, std::move(kept));
        for (ExprId id : order) {
            if (module_.kind(id) != ExprKind::Call || module_.kind(module_.callee(id)) != ExprKind::GlobalVar) continue;
            if (module_.name_id(module_.callee(id)) != global.name) continue;
            std::vector<ExprId> operands{module_.callee(id)};
            std::span<const ExprId> arguments = module_.arguments(id);
            for (size_t i = 0; i < arguments.size(); ++i)
                if (i >= goes.size() || !goes[i]) operands.push_back(draft_.value_used_for(arguments[i]));
            draft_.set_operands(id, std::move(operands));
        }
    }

    const Module& module_;
    Draft draft_;
    std::unordered_set<ExprId> removed_, gone_;
    std::vector<ExprId> parameters_;
};

}  // namespace

EditResult remove_expressions(const Module& module, std::span<const ExprId> expressions) {
    return Removal(module, expressions).run(expressions);
}

EditResult replace_operand(const Module& module, EditEdge edge, ExprId by) {
    if (std::optional<EditFault> fault = check_expression(module, edge.user)) return *fault;
    if (std::optional<EditFault> fault = check_expression(module, by)) return *fault;
    if (!is_value_edge(module, edge))
        return edit_fault({SENTENCE("Engine", "this operand can't be replaced"), {}}, edge.user);
    Draft draft(module);
    draft.set_operand(edge.user, edge.index, by);
    return draft.finish(edge.user, {{edge.user}});
}

EditResult cut_edge(const Module& module, EditEdge edge, const std::string& name) {
    if (std::optional<EditFault> fault = check_expression(module, edge.user)) return *fault;
    if (!is_value_edge(module, edge))
        return edit_fault({SENTENCE("Engine", "this operand can't be replaced"), {}}, edge.user);
    if (!is_valid_name(name)) return edit_fault({SENTENCE("Engine", "`%1` is not a valid name"), {name}}, edge.user);
    const ExprId function = function_of(module, edge.user);
    if (!function.valid())
        return edit_fault({SENTENCE("Engine", "the expression is not in a function"), {}}, edge.user);
    Draft draft(module);
    const ExprId value = module.operands(edge.user)[edge.index];
    const ExprId var = draft.add_var(free_parameter_name(draft, function, name), module.type(value));
    draft.add_parameter(function, var);
    draft.set_operand(edge.user, edge.index, var);
    return draft.finish(edge.user, {{var}});
}

}  // namespace partita
