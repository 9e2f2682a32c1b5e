#include "app/cli/run_inputs.h"

#include <utility>

#include "app/cli/flow_arguments.h"
#include "engine/runtime/npy.h"
#include "engine/session/input_files.h"
#include "engine/session/inputs.h"
#include "engine/support/in_file.h"

namespace partita::cli {

namespace {

/// Says which option a fault is about.
Diagnostic of_input(const std::string& name, Diagnostic fault) {
    fault.message = "--input " + name + ": " + fault.message;
    return fault;
}

/// Reads the values given by --input, by the parameters' own names.
Result<std::map<std::string, Tensor>> read_inputs(const std::vector<std::string>& texts, const Module& module) {
    const ParameterNames names(module);
    std::map<std::string, Tensor> inputs;
    for (const std::string& text : texts) {
        // The last equals sign counts, because names of ONNX may contain one.
        const size_t equals = text.rfind('=');
        std::map<std::string, Tensor> given;
        if (equals == std::string::npos) {
            Result<std::map<std::string, Tensor>> archive = read_input_archive(module, text);
            if (!archive) return archive.error();
            given = std::move(*archive);
        } else {
            const std::string name = text.substr(0, equals), path = text.substr(equals + 1);
            if (Result<ExprId> known = names.find(name); !known) return of_input(name, known.error());
            Result<Tensor> tensor = read_npy(path);
            if (!tensor) return in_file(tensor.error(), path);
            given.emplace(name, std::move(*tensor));
        }
        for (auto& [name, tensor] : given) inputs[std::string(module.name(*names.find(name)))] = std::move(tensor);
    }
    return inputs;
}

}  // namespace

Result<std::map<std::string, Tensor>> read_run_inputs(const std::vector<std::string>& inputs,
                                                      const OpenedInput& opened) {
    Result<std::map<std::string, Tensor>> given = read_inputs(inputs, *opened.module);
    if (!given) return given;
    std::vector<InputFile> others = opened.inputs;
    std::erase_if(others, [&given](const InputFile& file) { return given->count(file.parameter) > 0; });
    Result<std::map<std::string, Tensor>> of_project = read_input_files(*opened.module, others);
    if (!of_project) return of_project;
    given->merge(*of_project);
    return given;
}

void add_input_option(CLI::App& command, std::vector<std::string>& inputs) {
    command
        .add_option(
            "--input", inputs,
            "the value of a parameter of @main, or an archive of several; may be repeated, each time with one "
            "value. NAME may be a name from an ONNX model. Parameters without a value get one generated from the seed")
        ->allow_extra_args(false)
        ->type_name("NAME=F.npy|F.npz");
}

void add_tolerance_option(CLI::App& command, double& tolerance) {
    command
        .add_option(
            "--tolerance", tolerance,
            "largest relative error of floating-point values, |a - b| / (|b| + scale / 20) where scale is "
            "the tensor's largest |b|; what differs by more is held against a run in float64, and is equal if it is "
            "hardly further from it than default is; integers must be equal; default 1e-4")
        ->check([](const std::string& text) { return check_number(text, true); })
        ->type_name("X");
}

}  // namespace partita::cli
