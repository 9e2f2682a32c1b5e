#include "engine/session/operator_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "engine/exporters/exporter.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"

namespace partita {

namespace {

/// Returns the example's only call of the operator; invalid if there is none.
ExprId call_in(const Module& module, const OpRecord& record) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* called = called_op_record(module, ExprId(i));
            called == &record || (called && called->foreign && record.name == "opaque"))
            return ExprId(i);
    return {};
}

std::string type_text(const Module& module, ExprId id) { return module.types().to_string(module.type(id)); }

DataType element_type(const Module& module, ExprId id) {
    return module.types().is_tensor(module.type(id)) ? module.types().dtype(module.type(id)) : kVoid;
}

bool is_of_name(char c) { return std::isalnum(uint8_t(c)) || c == '_'; }

/// Returns where the parentheses that begin at a place end, if a name alone stands in them; else 0.
size_t end_of_name(const std::string& text, size_t begin) {
    size_t end = begin + 1;
    while (end < text.size() && is_of_name(text[end])) ++end;
    return end > begin + 1 && end < text.size() && text[end] == ')' ? end : 0;
}

/// Takes away what only a compiler needs: parentheses around a name, and around all; a conversion of the whole.
std::string readable(std::string formula) {
    if (formula.starts_with("(float)(")) formula.erase(0, std::string_view("(float)").size());
    else if (formula.starts_with("(double)(")) formula.erase(0, std::string_view("(double)").size());
    for (size_t begin = 0; begin < formula.size(); ++begin) {
        const size_t end = formula[begin] == '(' ? end_of_name(formula, begin) : 0;
        if (!end) continue;
        const std::string_view name = std::string_view(formula).substr(begin + 1, end - begin - 1);
        // After a letter it is the argument of a function; a type is a conversion.
        const bool is_argument = begin > 0 && is_of_name(formula[begin - 1]);
        if (is_argument || name.ends_with("_t") || name == "float" || name == "double") continue;
        formula[begin] = formula[end] = '\0';
    }
    std::erase(formula, '\0');
    int depth = 0;
    for (size_t i = 0; i + 1 < formula.size(); ++i) {
        depth += formula[i] == '(' ? 1 : formula[i] == ')' ? -1 : 0;
        if (depth == 0) return formula;
    }
    return formula.size() > 1 && formula.front() == '(' ? formula.substr(1, formula.size() - 2) : formula;
}

std::string formula_of(const Module& module, ExprId call, const OpRecord& record) {
    if (!record.c_element || module.arguments(call).size() != record.inputs.size()) return {};
    const DataType operand = record.inputs.empty() ? kVoid : element_type(module, module.arguments(call)[0]);
    return readable(
        record.c_element({record.inputs, operand, element_type(module, call), attributes_of(module, call)}));
}

std::vector<std::string> onnx_operators(const ModulePtr& module) {
    ExportSubject subject;
    subject.module = module;
    const Result<std::string> file = write_onnx(subject);
    if (!file) return {};
    const Result<onnx::Model> model = onnx::parse_model(*file);
    if (!model) return {};
    std::vector<std::string> names;
    for (const onnx::Node& node : model->graph.nodes) {
        std::string name = (node.domain.empty() ? "" : std::string(node.domain) + ".") + std::string(node.op_type);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

/// Returns the statement of the call: the text of the body without types.
std::string call_text(const Module& module) {
    const std::string text = print_relay(module, {.show_metadata = false, .types = false});
    const size_t begin = text.find("{\n"), end = text.find("\n}", begin);
    return end != std::string::npos ? text.substr(begin + 2, end - begin - 2) : text;
}

}  // namespace

OperatorPage operator_page(const OpRecord& record) {
    OperatorPage page;
    page.name = record.name;
    page.summary = record.summary;
    page.runs = record.kernel != nullptr;
    page.writes_c = record.c_element != nullptr || record.c_loops != nullptr;
    Result<Module> example = parse_relay(record.example);
    if (!example || !infer_types(*example)) return page;
    const ModulePtr module = std::make_shared<const Module>(std::move(*example));
    const ExprId call = call_in(*module, record);
    if (!call.valid()) return page;
    const std::span<const ExprId> arguments = module->arguments(call);
    for (size_t i = 0; i < arguments.size() && !record.inputs.empty(); ++i)
        page.operands.push_back(record.inputs[std::min(i, record.inputs.size() - 1)] + ": " +
                                type_text(*module, arguments[i]));
    page.result = type_text(*module, call);
    page.call = call_text(*module);
    page.formula = formula_of(*module, call, record);
    page.onnx = onnx_operators(module);
    return page;
}

}  // namespace partita
