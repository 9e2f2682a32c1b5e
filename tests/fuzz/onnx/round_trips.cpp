#include "tests/fuzz/onnx/round_trips.h"

#include "engine/exporters/module_json.h"
#include "engine/frontends/json/module_reader.h"
#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/passes/infer_types.h"
#include "engine/session/export.h"
#include "engine/session/session.h"

namespace partita::fuzz {

/// Runs a module on the graph's inputs, its parameters in their order.
Answer answer_of_module(const GeneratedGraph& graph, const ModulePtr& module) {
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    options.threads = 1;
    const auto parameters = module->parameters(module->find_function("main"));
    if (parameters.size() != graph.inputs.size()) return {{}, "another number of parameters", true};
    for (size_t i = 0; i < parameters.size(); ++i)
        options.inputs[std::string(module->name(parameters[i]))] = graph.inputs[i].value;
    Result<RunReport> report = run_partitioned(module, options);
    if (!report) return {{}, report.error().message, true};
    return {std::move(report->outputs), {}, false};
}

Result<std::string> export_as_onnx(const ModulePtr& module) { return write_onnx(export_subject(module, "fuzz")); }

namespace {

/// Runs a module that was read.
Answer answer_of(const GeneratedGraph& graph, Result<Module> module) {
    if (!module) return {{}, module.error().to_string(), false};
    if (Status typed = infer_types(*module); !typed) return {{}, typed.error().to_string(), false};
    return answer_of_module(graph, std::make_shared<const Module>(std::move(*module)));
}

Answer imported_answer(const GeneratedGraph& graph, const std::string& model) {
    OnnxOptions options;
    options.strict = true;
    Result<OnnxImport> imported = import_onnx(model, options);
    if (!imported) return {{}, imported.error().message, false};
    return answer_of_module(graph, std::make_shared<const Module>(std::move(imported->module)));
}

Result<ModulePtr> divided(const ModulePtr& module, const char* backend) {
    FlowOptions options;
    Result<BackendDescription> description = load_backend(backend);
    if (!description) return description.error();
    options.backends = {*description};
    options.log_decisions = false;
    Result<FlowResult> flow = run_flow(module, options);
    if (!flow) return flow.error();
    return flow->last();
}

std::string difference_in(const std::string& what, const GeneratedGraph& graph, const Answer& actual,
                          const Answer& expected) {
    const std::string text = difference(graph, actual, expected);
    return text.empty() ? "" : what + ": " + text;
}

}  // namespace

std::string imported_difference(const std::string& what, const GeneratedGraph& exported, const Answer& expected,
                                OnnxRuntime* runtime) {
    std::string text = difference_in(what, exported, imported_answer(exported, exported.model), expected);
    if (!text.empty() || !runtime) return text;
    runtime->ask(exported);
    return difference_in(what + " in the runtime", exported, runtime->answer(), expected);
}

namespace {

std::string difference_of(const std::string& what, const GeneratedGraph& graph, const ModulePtr& module,
                          const Answer& expected, OnnxRuntime* runtime) {
    const std::string json = module_to_json(*module);
    std::string text = difference_in(what + " as JSON", graph, answer_of(graph, read_module_json(json, "m")), expected);
    if (!text.empty()) return text;
    if (Result<Module> again = read_module_json(json, "m");
        again && infer_types(*again) && module_to_json(*again) != json)
        return what + " as JSON is another text when it is read and written again";
    text = difference_in(what + " as Relay text", graph, answer_of(graph, parse_relay(print_relay(*module))), expected);
    if (!text.empty()) return text;
    const Result<std::string> onnx = export_as_onnx(module);
    if (!text.empty() || !onnx) return text;
    GeneratedGraph exported = graph;
    exported.model = *onnx;
    return imported_difference(what + " as ONNX", exported, expected, runtime);
}

}  // namespace

std::string round_trip_difference(const GeneratedGraph& graph, const Answer& expected, OnnxRuntime* runtime) {
    if (!expected.refusal.empty()) return "";
    Result<OnnxImport> imported = import_onnx(graph.model, {});
    if (!imported) return "";
    const auto module = std::make_shared<const Module>(std::move(imported->module));
    std::string text = difference_of("the module", graph, module, expected, runtime);
    if (!text.empty()) return text;
    const Result<ModulePtr> parts = divided(module, "ccompiler_wide");
    return parts ? difference_of("the divided module", graph, *parts, expected, runtime) : parts.error().message;
}

}  // namespace partita::fuzz
