#include "engine/session/onnx_conformance.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/runtime/run.h"
#include "engine/support/file.h"

namespace partita {

namespace fs = std::filesystem;

namespace {

constexpr double kRelativeTolerance = 1e-3, kAbsoluteTolerance = 1e-7;

struct DataSet {
    std::vector<Tensor> inputs, outputs;
};

/// A test's files `input_0.pb`, `input_1.pb`, ... or `output_0.pb`, ...
Result<std::vector<Tensor>> read_tensors(const fs::path& folder, const std::string& prefix) {
    std::vector<Tensor> tensors;
    for (int i = 0;; ++i) {
        fs::path path = folder / (prefix + std::to_string(i) + ".pb");
        if (!fs::exists(path)) return tensors;
        Result<std::string> bytes = read_file(path.string());
        if (!bytes) return bytes.error();
        Result<onnx::TensorProto> proto = onnx::parse_tensor(*bytes);
        if (!proto) return proto.error();
        Result<Tensor> tensor = onnx::tensor_value(*proto, {}, nullptr);
        if (!tensor) return tensor.error();
        tensors.push_back(std::move(*tensor));
    }
}

/// ONNX's tests keep bfloat16 values in uint16 files.
Tensor as_stored(const Tensor& file, DataType wanted) {
    if (file.dtype() != kUInt16 || wanted != kBFloat16) return file;
    Tensor copy(kBFloat16, file.shape());
    std::copy_n(file.data<uint16_t>(), file.size(), copy.data<uint16_t>());
    return copy;
}

/// "" where they agree.
std::string difference(const Tensor& actual, const Tensor& file) {
    Tensor expected = as_stored(file, actual.dtype());
    if (!(actual.dtype() == expected.dtype()))
        return "element type " + actual.dtype().to_string() + " instead of " + expected.dtype().to_string();
    if (actual.shape() != expected.shape())
        return "shape " + shape_to_string(actual.shape()) + " instead of " + shape_to_string(expected.shape());
    double worst = 0;
    int64_t wrong = 0;
    for (int64_t i = 0; i < actual.size(); ++i) {
        double a = actual.at(i), e = expected.at(i);
        if (a == e || (std::isnan(a) && std::isnan(e))) continue;
        double off = std::fabs(a - e);
        if (off <= kAbsoluteTolerance + kRelativeTolerance * std::fabs(e)) continue;
        ++wrong;
        if (!(off <= worst)) worst = off;
    }
    if (!wrong) return "";
    return std::to_string(wrong) + " of " + std::to_string(actual.size()) + " values differ, by up to " +
           std::to_string(worst);
}

/// Names of the graph's inputs that are no initializers, in order.
Result<std::vector<std::string>> input_names(std::string_view bytes) {
    Result<onnx::Model> model = onnx::parse_model(bytes);
    if (!model) return model.error();
    std::vector<std::string> names;
    for (const onnx::ValueInfo& info : model->graph.inputs) {
        bool initialized = std::any_of(model->graph.initializers.begin(), model->graph.initializers.end(),
                                       [&](const onnx::TensorProto& tensor) { return tensor.name == info.name; });
        if (!initialized) names.emplace_back(info.name);
    }
    return names;
}

/// Imports with ever more inputs bound as constants until nothing asks for another.
Result<OnnxImport> import_for(std::string_view bytes, const std::string& file, const std::vector<std::string>& names,
                              const std::vector<Tensor>& inputs) {
    OnnxOptions options;
    options.file = file;
    for (size_t i = 0; i < names.size(); ++i) options.shapes[names[i]] = inputs[i].shape();
    std::optional<Result<OnnxImport>> imported;
    for (int attempt = 0; attempt < 3; ++attempt) {
        imported.emplace(import_onnx(bytes, options));
        if (!*imported || (*imported)->unsupported.empty()) break;
        size_t bound = options.constants.size();
        for (size_t i = 0; i < names.size(); ++i) {
            bool asked = (*imported)->needed_constants.contains(names[i]);
            // What is asked for may hang on other inputs: then the small ones, which are rarely data.
            if (asked || (attempt > 0 && !(*imported)->needed_constants.empty()))
                options.constants[names[i]] = inputs[i];
        }
        if (options.constants.size() == bound && attempt > 0) break;
    }
    return std::move(*imported);
}

OnnxTestResult run_data_set(OnnxTestResult result, const fs::path& folder, std::string_view bytes,
                            const DataSet& data) {
    auto finish = [&](OnnxTestOutcome outcome, std::string reason) {
        result.outcome = outcome;
        result.reason = std::move(reason);
        return result;
    };
    Result<std::vector<std::string>> names = input_names(bytes);
    if (!names) return finish(OnnxTestOutcome::Unsupported, names.error().message);
    if (names->size() < data.inputs.size())
        return finish(OnnxTestOutcome::Unsupported, "there are more input files than inputs");
    names->resize(data.inputs.size());
    Result<OnnxImport> imported = import_for(bytes, (folder / "model.onnx").string(), *names, data.inputs);
    if (!imported) return finish(OnnxTestOutcome::Unsupported, imported.error().message);
    if (!imported->unsupported.empty()) return finish(OnnxTestOutcome::Unsupported, imported->unsupported[0]);
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    const Module& module = imported->module;
    ExprId main = module.find_function("main");
    for (size_t i = 0; i < imported->inputs.size(); ++i) {
        auto at = std::find(names->begin(), names->end(), imported->inputs[i]);
        if (at == names->end()) return finish(OnnxTestOutcome::Unsupported, "an input has no value");
        ExprId parameter = module.parameters(main)[i];
        options.inputs[std::string(module.name(parameter))] =
            as_stored(data.inputs[size_t(at - names->begin())], module.types().dtype(module.type(parameter)));
    }
    Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), options);
    if (!report) {
        bool refused = report.error().message.find("not supported") != std::string::npos;
        return finish(refused ? OnnxTestOutcome::Unsupported : OnnxTestOutcome::Failed, report.error().message);
    }
    for (size_t i = 0; i < data.outputs.size(); ++i) {
        if (i >= report->outputs.size()) return finish(OnnxTestOutcome::Failed, "an output is missing");
        std::string off = difference(report->outputs[i], data.outputs[i]);
        if (!off.empty()) return finish(OnnxTestOutcome::Failed, "output " + std::to_string(i) + ": " + off);
    }
    return finish(OnnxTestOutcome::Passed, "");
}

}  // namespace

std::vector<std::string> find_onnx_tests(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code fault;
    if (fs::exists(fs::path(folder) / "model.onnx", fault)) found.push_back(folder);
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(folder, options, fault), end; !fault && it != end; it.increment(fault))
        if (it->is_directory(fault) && fs::exists(it->path() / "model.onnx", fault))
            found.push_back(it->path().string());
    std::sort(found.begin(), found.end());
    return found;
}

OnnxTestResult run_onnx_test(const std::string& folder) {
    OnnxTestResult result;
    result.name = fs::path(folder).filename().string();
    Result<std::string> bytes = read_file((fs::path(folder) / "model.onnx").string());
    if (!bytes) {
        result.reason = bytes.error().message;
        return result;
    }
    std::vector<fs::path> sets;
    std::error_code fault;
    for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault))
        if (it->is_directory(fault) && it->path().filename().string().starts_with("test_data_set"))
            sets.push_back(it->path());
    std::sort(sets.begin(), sets.end());
    if (sets.empty()) sets.push_back({});
    for (const fs::path& set : sets) {
        Result<std::vector<Tensor>> inputs = read_tensors(set, "input_"), outputs = read_tensors(set, "output_");
        if (!inputs || !outputs) {
            result.outcome = OnnxTestOutcome::Unsupported;
            result.reason = !inputs ? inputs.error().message : outputs.error().message;
            return result;
        }
        result = run_data_set(std::move(result), folder, *bytes, {std::move(*inputs), std::move(*outputs)});
        if (result.outcome != OnnxTestOutcome::Passed) return result;
    }
    return result;
}

}  // namespace partita
