// Edits that keep the edges of the graph: attributes, operators, names, types.
#include <algorithm>

#include "engine/edits/edit_support.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

bool fits(const AttributeField& field, const AttributeValue& value) {
    if (value.is_none()) return may_be_none(field);
    switch (field.kind) {
        case AttributeKind::Int: return value.as_integer() != nullptr;
        case AttributeKind::Bool: return value.as_bool() != nullptr;
        case AttributeKind::Double: return value.as_double() != nullptr;
        case AttributeKind::String: return value.as_string() != nullptr;
        case AttributeKind::DType: return value.as_dtype() != nullptr;
        case AttributeKind::IntegerList: return value.as_list() != nullptr;
        case AttributeKind::Object: return true;
    }
    return false;
}

/// Returns the type written in `text`, interned in `types`. The module parser reads it as the type of a parameter.
Result<TypeId> read_type(std::string_view text, TypeTable& types) {
    if (text.find_first_of("{}%@\"#") != std::string_view::npos) return error("`" + std::string(text) + "` is no type");
    Result<Module> read = parse_relay("fn (%x: " + std::string(text) + ") { %x }");
    ExprId main = read ? read->find_function("main") : ExprId();
    if (!main.valid() || read->parameters(main).size() != 1)
        return error("`" + std::string(text) + "` is no type; expected one such as Tensor[(1, 8), float32]");
    return import_type(read->types(), read->type(read->parameters(main)[0]), types);
}

}  // namespace

EditResult set_attribute(const Module& module, std::span<const ExprId> calls, std::string_view name,
                         const AttributeValue& value) {
    Draft draft(module);
    for (ExprId call : calls) {
        if (std::optional<EditFault> fault = check_expression(module, call)) return *fault;
        const OpRecord* op = called_op_record(module, call);
        const int index = op ? op->attribute_index(name) : -1;
        if (index < 0)
            return edit_fault(
                {SENTENCE("Engine", "%1 has no attribute %2"), {op_name(module, call), std::string(name)}}, call);
        if (!fits(op->attributes[size_t(index)], value))
            return edit_fault(
                {SENTENCE("Engine", "%1 does not fit the attribute %2"), {value.to_string(), std::string(name)}}, call);
        AttributeList list = module.attributes(module.attributes_id(call));
        list[size_t(index)] = value;
        draft.set_attributes(call, draft.tables().add_attributes(std::move(list)));
    }
    return draft.finish(calls.empty() ? ExprId() : calls.front(), calls);
}

EditResult change_op(const Module& module, ExprId call, OpId op) {
    if (std::optional<EditFault> fault = check_expression(module, call)) return *fault;
    const OpRecord* before = called_op_record(module, call);
    if (!before || op.value >= op_registry().records().size())
        return edit_fault({SENTENCE("Engine", "only an operator can be replaced by another"), {}}, call);
    const OpRecord& record = op_registry()[op];
    Draft draft(module);
    AttributesId attributes;
    if (!record.attributes.empty()) {
        AttributeList list = record.default_attributes();
        for (size_t i = 0; i < list.size(); ++i) {
            const int known = before->attribute_index(record.attributes[i].name);
            if (known < 0) continue;
            const AttributeValue& value = module.attributes(module.attributes_id(call))[size_t(known)];
            if (fits(record.attributes[i], value)) list[i] = value;
        }
        for (size_t i = 0; i < list.size(); ++i)
            if (list[i].is_none() && !may_be_none(record.attributes[i]))
                return edit_fault(
                    {SENTENCE("Engine", "%1 needs the attribute %2"), {record.name, record.attributes[i].name}}, call);
        attributes = draft.tables().add_attributes(std::move(list));
    }
    std::vector<ExprId> operands(module.operands(call).begin(), module.operands(call).end());
    operands[0] = draft.add(ExprKind::Op, op.value, {});
    draft.set_operands(call, std::move(operands));
    draft.set_attributes(call, attributes);
    return draft.finish(call, {{call}});
}

EditResult rename_expression(const Module& module, ExprId expression, std::string_view name) {
    if (std::optional<EditFault> fault = check_expression(module, expression)) return *fault;
    Draft draft(module);
    if (module.kind(expression) == ExprKind::Var) {
        if (!is_valid_name(name))
            return edit_fault({SENTENCE("Engine", "`%1` is not a valid name"), {std::string(name)}}, expression);
        const ExprId function = function_of(module, expression);
        if (function.valid() && module.name(expression) != name)
            for (ExprId parameter : module.parameters(function))
                if (module.name(parameter) == name)
                    return edit_fault(
                        {SENTENCE("Engine", "there is a parameter %1 already"), {"%" + std::string(name)}}, parameter);
        draft.set_name(expression, std::string(name));
        // The label is its name in the file that it came from, by which exporters and runs know it.
        if (!module.label(expression).empty()) draft.set_label(expression, std::string(name));
    } else {
        draft.set_label(expression, std::string(name));
    }
    return draft.finish(expression, {{expression}});
}

EditResult rename_function(const Module& module, std::string_view from, std::string_view to) {
    const ExprId function = module.find_function(from);
    if (!function.valid())
        return edit_fault({SENTENCE("Engine", "there is no function %1"), {"@" + std::string(from)}});
    if (!is_valid_name(to))
        return edit_fault({SENTENCE("Engine", "`%1` is not a valid name"), {std::string(to)}}, function);
    if (from != to && module.find_function(to).valid())
        return edit_fault({SENTENCE("Engine", "there is a function %1 already"), {"@" + std::string(to)}},
                          module.find_function(to));
    Draft draft(module);
    if (from != to) draft.rename_function(from, std::string(to));
    return draft.finish(function, {});
}

EditResult set_parameter_type(const Module& module, ExprId parameter, std::string_view type) {
    if (std::optional<EditFault> fault = check_expression(module, parameter)) return *fault;
    if (module.kind(parameter) != ExprKind::Var)
        return edit_fault({SENTENCE("Engine", "only a parameter has a type of its own"), {}}, parameter);
    Draft draft(module);
    Result<TypeId> read = read_type(type, draft.tables().types());
    if (!read) return EditFault{read.error(), parameter};
    draft.set_declared_type(parameter, *read);
    return draft.finish(parameter, {{parameter}});
}

EditResult set_function_attribute(const Module& module, ExprId function, std::string_view key,
                                  std::optional<AttributeValue> value) {
    if (std::optional<EditFault> fault = check_expression(module, function)) return *fault;
    if (module.kind(function) != ExprKind::Function)
        return edit_fault({SENTENCE("Engine", "that is not a function"), {}}, function);
    if (!is_valid_name(key))
        return edit_fault({SENTENCE("Engine", "`%1` is not a valid name"), {std::string(key)}}, function);
    FunctionInfo info = module.function_info(function);
    auto found = std::find_if(info.attributes.begin(), info.attributes.end(),
                              [key](const auto& attribute) { return attribute.first == key; });
    if (value && found != info.attributes.end()) found->second = *value;
    else if (value) info.attributes.emplace_back(std::string(key), *value);
    else if (found != info.attributes.end()) info.attributes.erase(found);
    else return edit_fault({SENTENCE("Engine", "the function has no attribute %1"), {std::string(key)}}, function);
    Draft draft(module);
    draft.set_function_info(function, std::move(info));
    return draft.finish(function, {});
}

EditResult remove_function(const Module& module, std::string_view name) {
    const ExprId function = module.find_function(name);
    if (!function.valid())
        return edit_fault({SENTENCE("Engine", "there is no function %1"), {"@" + std::string(name)}});
    if (module.functions().size() == 1)
        return edit_fault({SENTENCE("Engine", "a module has at least one function"), {}}, function);
    Draft draft(module);
    draft.remove_function(name);
    return draft.finish(function, {});
}

}  // namespace partita
