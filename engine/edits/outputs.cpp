// The names of a function's results, which ONNX models have and Relay text keeps as an attribute.
#include <algorithm>

#include "engine/edits/edit_support.h"
#include "engine/edits/edits.h"

namespace partita {

namespace {

constexpr std::string_view kOutputNames = "output_tensor_names";  // as TVM's importer of ONNX calls it

std::vector<ExprId> results_of(const Module& module, ExprId function) {
    const ExprId body = module.body(function);
    if (module.kind(body) != ExprKind::Tuple) return {body};
    return {module.operands(body).begin(), module.operands(body).end()};
}

}  // namespace

std::vector<std::string> output_names(const Module& module, ExprId function) {
    const size_t count = results_of(module, function).size();
    const AttributeValue* attribute = module.function_info(function).attribute(kOutputNames);
    const AttributeValue::List* list = attribute ? attribute->as_list() : nullptr;
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i) {
        const std::string* given = list && list->size() == count ? (*list)[i].as_string() : nullptr;
        names.push_back(given ? *given : count == 1 ? "output" : "output_" + std::to_string(i));
    }
    return names;
}

std::optional<size_t> output_of(const Module& module, ExprId function, ExprId expression) {
    const std::vector<ExprId> results = results_of(module, function);
    const auto found = std::find(results.begin(), results.end(), expression);
    return found == results.end() ? std::nullopt : std::optional(size_t(found - results.begin()));
}

EditResult rename_output(const Module& module, ExprId function, size_t output, std::string_view name) {
    std::vector<std::string> names = output_names(module, function);
    if (name.empty())
        return edit_fault({SENTENCE("Engine", "`%1` is not a valid name"), {std::string(name)}}, function);
    for (size_t i = 0; i < names.size(); ++i)
        if (i != output && names[i] == name)
            return edit_fault({SENTENCE("Engine", "there is an output %1 already"), {std::string(name)}}, function);
    for (const ExprId parameter : module.parameters(function))
        if (module.name(parameter) == name || module.label(parameter) == name)
            return edit_fault({SENTENCE("Engine", "there is a parameter %1 already"), {"%" + std::string(name)}},
                              parameter);
    names.at(output) = name;
    AttributeValue::List list;
    for (std::string& each : names) list.push_back(std::move(each));
    return set_function_attribute(module, function, kOutputNames, std::move(list));
}

}  // namespace partita
