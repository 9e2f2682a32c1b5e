// Extracting a selection into a function, and inlining it again.
#include <algorithm>

#include "engine/edits/edit_support.h"
#include "engine/edits/selection_body.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/called_function.h"
#include "engine/ir/traversal.h"

namespace partita {

EditResult extract_function(const Module& module, std::span<const ExprId> selection, std::string_view name) {
    if (!is_valid_name(name)) return edit_fault({SENTENCE("Engine", "`%1` is not a valid name"), {std::string(name)}});
    if (module.find_function(name).valid())
        return edit_fault({SENTENCE("Engine", "there is a function %1 already"), {"@" + std::string(name)}},
                          module.find_function(name));
    SelectionBody body(module, selection);
    if (body.fault()) return *body.fault();
    if (std::optional<EditFault> fault = body.find_way_back()) return *fault;
    Draft draft(module);
    draft.set_function(std::string(name), body.make_function(draft));
    const ExprId call = draft.add_global_call(std::string(name), body.inputs());
    const std::vector<ExprId>& outputs = body.outputs();
    if (outputs.size() == 1) {
        draft.replace_uses(outputs[0], call);
    } else {
        for (uint32_t i = 0; i < outputs.size(); ++i)
            draft.replace_uses(outputs[i], draft.add(ExprKind::Projection, i, {call}));
    }
    return draft.finish(selection.front(), {{call}});
}

namespace {

/// Returns how many operands refer to `of`.
size_t count_uses(const Module& module, ExprId of) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    size_t uses = 0;
    for (ExprId id : post_order(module, roots))
        for (ExprId operand : module.operands(id)) uses += operand == of;
    return uses;
}

/// Redirects projections of a tuple that replaced a call to its fields, as they were before the selection was
/// extracted.
void read_fields_themselves(Draft& draft, ExprId call, ExprId tuple) {
    const Module& module = draft.before();
    const std::vector<ExprId> fields(draft.operands(tuple).begin(), draft.operands(tuple).end());
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId id(i);
        if (module.kind(id) == ExprKind::Projection && module.operands(id)[0] == call)
            draft.replace_uses(id, fields[module.projection_index(id)]);
    }
}

bool calls_itself(const Module& module, ExprId function, NameId name) {
    for (ExprId id : post_order(module, module.body(function)))
        if (module.kind(id) == ExprKind::GlobalVar && module.name_id(id) == name) return true;
    return false;
}

}  // namespace

EditResult inline_call(const Module& module, ExprId call) {
    if (std::optional<EditFault> fault = check_expression(module, call)) return *fault;
    if (module.kind(call) != ExprKind::Call)
        return edit_fault({SENTENCE("Engine", "only a call of a function can be inlined"), {}}, call);
    const ExprId callee = module.callee(call), function = called_function(module, call);
    const bool global = module.kind(callee) == ExprKind::GlobalVar;
    if (!function.valid())
        return edit_fault({SENTENCE("Engine", "only a call of a function can be inlined"), {}}, call);
    if (global && calls_itself(module, function, module.name_id(callee)))
        return edit_fault(
            {SENTENCE("Engine", "%1 calls itself, so it can't be inlined"), {"@" + std::string(module.name(callee))}},
            call);
    std::span<const ExprId> parameters = module.parameters(function);
    std::span<const ExprId> arguments = module.arguments(call);
    if (parameters.size() != arguments.size())
        return edit_fault({SENTENCE("Engine", "the call has a different number of arguments"), {}}, call);
    Draft draft(module);
    std::unordered_map<uint32_t, ExprId> image;
    for (size_t i = 0; i < parameters.size(); ++i) image[parameters[i].value] = arguments[i];
    const ExprId result = draft.copy(module.body(function), image);
    draft.replace_uses(call, result);
    if (draft.kind(result) == ExprKind::Tuple) read_fields_themselves(draft, call, result);
    if (global && module.name(callee) != "main" && count_uses(module, callee) == 1)
        draft.remove_function(module.name(callee));
    std::vector<ExprId> made;
    for (const auto& [old, copied] : image)
        if (draft.is_new(copied) && draft.kind(copied) == ExprKind::Call) made.push_back(copied);
    std::sort(made.begin(), made.end());
    return draft.finish(call, made);
}

namespace {

/// Removes functions that @main does not reach.
void drop_uncalled_functions(Draft& draft, const Module& module, std::span<const ExprId> members) {
    std::vector<ExprId> open(members.begin(), members.end());
    std::vector<bool> seen(module.size()), member(module.size());
    for (ExprId id : members) member[id.value] = true;
    while (!open.empty()) {
        const ExprId id = open.back();
        open.pop_back();
        if (seen[id.value]) continue;
        seen[id.value] = true;
        if (module.kind(id) == ExprKind::GlobalVar)
            if (ExprId called = module.find_function(module.name(id)); called.valid()) open.push_back(called);
        // Only what a member calls counts, not what it reads.
        std::span<const ExprId> operands = module.operands(id);
        for (size_t i = 0; i < operands.size(); ++i)
            if (!member[id.value] || (i == 0 && module.kind(id) == ExprKind::Call)) open.push_back(operands[i]);
    }
    for (const GlobalFunction& global : module.functions()) {
        const std::string_view name = module.names().text(global.name);
        if (name != "main" && !seen[global.function.value]) draft.remove_function(name);
    }
}

}  // namespace

Result<std::string> copy_as_text(const Module& module, std::span<const ExprId> selection) {
    SelectionBody body(module, selection);
    if (body.fault()) return body.fault()->diagnostic;
    if (body.outputs().empty()) return error("select the operators first");
    for (ExprId id : body.members())
        if (module.kind(id) == ExprKind::Call && module.kind(module.callee(id)) == ExprKind::GlobalVar &&
            module.name(module.callee(id)) == "main")
            return error("a call of @main can't be copied");
    Draft draft(module);
    draft.set_function("main", body.make_function(draft));
    drop_uncalled_functions(draft, module, body.members());
    EditResult made = draft.finish(body.members().front(), {});
    if (!made) return made.fault().diagnostic;
    return print_relay(*made->module);
}

}  // namespace partita
