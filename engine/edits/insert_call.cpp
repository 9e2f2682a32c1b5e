// Inserting calls: on an edge, after a value, as an output.
#include "engine/edits/edit_support.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

std::optional<EditFault> check_call(const Module& module, const NewCall& call) {
    if (!call.op.valid() || call.op.value >= op_registry().records().size())
        return edit_fault({SENTENCE("Engine", "there is no such operator"), {}});
    for (const NewOperand& operand : call.operands) {
        if (operand.kind == NewOperand::Kind::Value)
            if (std::optional<EditFault> fault = check_expression(module, operand.value)) return fault;
        for (ExprId field : operand.fields)
            if (std::optional<EditFault> fault = check_expression(module, field)) return fault;
    }
    return {};
}

}  // namespace

EditResult insert_on_edge(const Module& module, EditEdge edge, const NewCall& call, const TypeTable& types) {
    if (std::optional<EditFault> fault = check_expression(module, edge.user)) return *fault;
    if (std::optional<EditFault> fault = check_call(module, call)) return *fault;
    if (!is_value_edge(module, edge))
        return edit_fault({SENTENCE("Engine", "nothing can be inserted there"), {}}, edge.user);
    const ExprId function = function_of(module, edge.user);
    if (!function.valid())
        return edit_fault({SENTENCE("Engine", "the expression is not in a function"), {}}, edge.user);
    Draft draft(module);
    draft.tables().types() = types;
    Result<ExprId> made = make_call(draft, call, function);
    if (!made) return EditFault{made.error(), edge.user};
    draft.set_operand(edge.user, edge.index, *made);
    return draft.finish(edge.user, {{*made}});
}

EditResult insert_after(const Module& module, ExprId value, const NewCall& call, const TypeTable& types) {
    if (std::optional<EditFault> fault = check_expression(module, value)) return *fault;
    if (std::optional<EditFault> fault = check_call(module, call)) return *fault;
    const ExprId function = function_of(module, value);
    if (!function.valid()) return edit_fault({SENTENCE("Engine", "the expression is not in a function"), {}}, value);
    Draft draft(module);
    draft.tables().types() = types;
    Result<ExprId> made = make_call(draft, call, function);
    if (!made) return EditFault{made.error(), value};
    draft.replace_uses(value, *made);
    return draft.finish(value, {{*made}});
}

EditResult add_output(const Module& module, ExprId function, const NewCall& call, const TypeTable& types) {
    if (std::optional<EditFault> fault = check_expression(module, function)) return *fault;
    if (std::optional<EditFault> fault = check_call(module, call)) return *fault;
    if (module.kind(function) != ExprKind::Function)
        return edit_fault({SENTENCE("Engine", "that is not a function"), {}}, function);
    Draft draft(module);
    draft.tables().types() = types;
    Result<ExprId> made = make_call(draft, call, function);
    if (!made) return EditFault{made.error(), function};
    append_output(draft, function, *made);
    return draft.finish(function, {{*made}});
}

}  // namespace partita
