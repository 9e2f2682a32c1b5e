// Pasting Relay text into a function.
#include "engine/edits/edit_support.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ir/traversal.h"
#include "engine/passes/infer_types.h"

namespace partita {

namespace {

/// Imports expressions of another module, which has its own tables, into a draft.
class Importer {
public:
    Importer(const Module& from, Draft& draft) : from_(from), draft_(draft), image_(from.size()) {}

    void set_image(ExprId old, ExprId made) { image_[old.value] = made; }
    void rename(std::string_view from, std::string to) { names_[std::string(from)] = std::move(to); }
    TypeId type(TypeId old) { return import_type(from_.types(), old, draft_.tables().types()); }

    ExprId import(ExprId root) {
        for (ExprId id : post_order(from_, root))
            if (!image_[id.value].valid()) image_[id.value] = make(id);
        return image_[root.value];
    }
    const std::vector<ExprId>& calls() const { return calls_; }

private:
    ExprId make(ExprId id) {
        std::vector<ExprId> operands;
        for (ExprId operand : from_.operands(id)) operands.push_back(image_[operand.value]);
        switch (from_.kind(id)) {
            case ExprKind::Var: return draft_.add_var(std::string(from_.name(id)), type(from_.type(id)));
            case ExprKind::Constant: return draft_.add_constant(from_.constant(id));
            case ExprKind::GlobalVar: {
                auto renamed = names_.find(std::string(from_.name(id)));
                return draft_.add_global_var(renamed == names_.end() ? std::string(from_.name(id)) : renamed->second);
            }
            case ExprKind::Call: {
                AttributesId attributes = from_.attributes_id(id);
                if (attributes.valid()) attributes = draft_.tables().add_attributes(from_.attributes(attributes));
                calls_.push_back(draft_.add(ExprKind::Call, attributes.value, std::move(operands)));
                return calls_.back();
            }
            case ExprKind::Function: {
                FunctionInfo info = from_.function_info(id);
                info.return_type = type(info.return_type);
                const ExprId body = operands.back();
                operands.pop_back();
                return draft_.add_function(std::move(operands), body, std::move(info));
            }
            default: return draft_.add(from_.kind(id), from_[id].payload, std::move(operands));
        }
    }

    const Module& from_;
    Draft& draft_;
    std::vector<ExprId> image_;
    std::unordered_map<std::string, std::string> names_;
    std::vector<ExprId> calls_;
};

/// Returns the replacement of a pasted parameter: the function's parameter of that name and type, or a new one.
ExprId parameter_for(const Module& read, ExprId parameter, Draft& draft, Importer& importer, ExprId function) {
    const Module& module = draft.before();
    const TypeId type = importer.type(read.type(parameter));
    for (ExprId own : module.parameters(function))
        if (module.name(own) == read.name(parameter) && module.type(own) == type) return own;
    const ExprId var = draft.add_var(free_parameter_name(draft, function, std::string(read.name(parameter))), type);
    draft.add_parameter(function, var);
    return var;
}

void import_other_functions(const Module& read, ExprId pasted, Draft& draft, Importer& importer) {
    std::vector<std::pair<std::string, ExprId>> others;
    std::set<std::string> taken;
    for (const GlobalFunction& global : read.functions()) taken.emplace(read.names().text(global.name));
    for (const GlobalFunction& global : read.functions()) {
        if (global.function == pasted) continue;
        const std::string name(read.names().text(global.name));
        std::string free = name;
        const auto is_taken = [&] { return draft.find_function(free).valid() || (free != name && taken.count(free)); };
        for (int i = 1; is_taken(); ++i) free = name + "_" + std::to_string(i);
        taken.insert(free);
        importer.rename(name, free);
        others.emplace_back(std::move(free), global.function);
    }
    for (auto& [name, function] : others) draft.set_function(std::move(name), importer.import(function));
}

}  // namespace

EditResult paste_text(const Module& module, ExprId function, std::string_view text, std::span<const ExprId> arguments,
                      PasteAs as) {
    if (std::optional<EditFault> fault = check_expression(module, function)) return *fault;
    if (module.kind(function) != ExprKind::Function)
        return edit_fault({SENTENCE("Engine", "that is not a function"), {}}, function);
    for (ExprId argument : arguments)
        if (std::optional<EditFault> fault = check_expression(module, argument)) return *fault;
    RelayParseOptions options;
    options.file = "pasted text";
    Result<Module> read = parse_relay(text, options);
    if (!read) return EditFault{read.error(), {}};
    if (Status typed = infer_types(*read); !typed) return EditFault{typed.error(), {}};
    ExprId pasted = read->find_function("main");
    if (!pasted.valid() && read->functions().size() == 1) pasted = read->functions().front().function;
    if (!pasted.valid())
        return edit_fault({SENTENCE("Engine", "the text has several functions and none is @main"), {}});
    std::span<const ExprId> parameters = read->parameters(pasted);
    if (arguments.size() > parameters.size())
        return edit_fault({SENTENCE("Engine", "the text takes %1 inputs, but %2 are selected"),
                           {std::to_string(parameters.size()), std::to_string(arguments.size())}});
    if (as == PasteAs::Successor && arguments.empty())
        return edit_fault({SENTENCE("Engine", "select what the text should follow"), {}});

    Draft draft(module);
    Importer importer(*read, draft);
    for (size_t i = 0; i < parameters.size(); ++i)
        importer.set_image(parameters[i], i < arguments.size()
                                              ? arguments[i]
                                              : parameter_for(*read, parameters[i], draft, importer, function));
    import_other_functions(*read, pasted, draft, importer);
    const ExprId result = importer.import(read->body(pasted));
    if (as == PasteAs::Successor) {
        draft.replace_uses(arguments[0], result);
    } else if (read->kind(read->body(pasted)) == ExprKind::Tuple) {
        for (ExprId field : draft.operands(result)) append_output(draft, function, field);
    } else {
        append_output(draft, function, result);
    }
    return draft.finish(arguments.empty() ? function : arguments[0], importer.calls());
}

}  // namespace partita
