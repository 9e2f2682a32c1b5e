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

/// The content of a test's file: a tensor, or a sequence of tensors.
struct TestValue {
    std::vector<Tensor> tensors;
    bool is_sequence = false;
};
struct DataSet {
    std::vector<TestValue> inputs, outputs;
};
/// An input or output of a model: its name, and its kind if it is not a tensor.
struct Port {
    std::string name, kind;
};

Result<TestValue> read_value(const fs::path& path, const std::string& kind) {
    Result<std::string> bytes = read_file(path.string());
    if (!bytes) return bytes.error();
    std::vector<onnx::TensorProto> protos;
    if (kind == "sequence") {
        Result<std::vector<onnx::TensorProto>> sequence = onnx::parse_sequence(*bytes);
        if (!sequence) return sequence.error();
        protos = std::move(*sequence);
    } else {
        Result<onnx::TensorProto> proto = onnx::parse_tensor(*bytes);
        if (!proto) return proto.error();
        protos.push_back(std::move(*proto));
    }
    TestValue value;
    value.is_sequence = kind == "sequence";
    for (const onnx::TensorProto& proto : protos) {
        Result<Tensor> tensor = onnx::tensor_value(proto, {});
        if (!tensor) return tensor.error();
        value.tensors.push_back(std::move(*tensor));
    }
    return value;
}

/// Reads the files of a test: `input_0.pb`, `input_1.pb`, ... or `output_0.pb`, ...
Result<std::vector<TestValue>> read_values(const fs::path& folder, const std::string& prefix,
                                           const std::vector<Port>& ports) {
    std::vector<TestValue> values;
    for (size_t i = 0;; ++i) {
        fs::path path = folder / (prefix + std::to_string(i) + ".pb");
        if (!fs::exists(path)) return values;
        if (i >= ports.size()) return error("there are more files than the model has inputs or outputs");
        if (!ports[i].kind.empty() && ports[i].kind != "sequence")
            return error("the value '" + ports[i].name + "' is of the type " + ports[i].kind +
                         ", which is not supported");
        Result<TestValue> value = read_value(path, ports[i].kind);
        if (!value) return value.error();
        values.push_back(std::move(*value));
    }
}

/// Returns the tensors of all values in order, each with a name: `x`, or `x[0]`, `x[1]`, ... of a sequence.
std::vector<std::pair<std::string, Tensor>> named_tensors(const std::vector<Port>& ports,
                                                          const std::vector<TestValue>& values) {
    std::vector<std::pair<std::string, Tensor>> tensors;
    for (size_t i = 0; i < values.size(); ++i)
        for (size_t k = 0; k < values[i].tensors.size(); ++k)
            tensors.emplace_back(ports[i].name + (values[i].is_sequence ? "[" + std::to_string(k) + "]" : ""),
                                 values[i].tensors[k]);
    return tensors;
}

/// Converts a tensor to its element type. ONNX's tests store bfloat16 values in uint16 files.
Tensor as_stored(const Tensor& file, DataType wanted) {
    if (file.dtype() != kUInt16 || wanted != kBFloat16) return file;
    Tensor copy(kBFloat16, file.shape());
    std::copy_n(file.data<uint16_t>(), file.size(), copy.data<uint16_t>());
    return copy;
}

/// Returns the number to compare. ONNX's own runner compares bfloat16 by its stored bits, as integers, with the
/// relative tolerance: a difference in the last place counts as equal.
double compared(const Tensor& tensor, int64_t i) {
    return tensor.dtype() == kBFloat16 ? double(tensor.data<uint16_t>()[i]) : tensor.at(i);
}

/// Describes the first difference; "" if there is none.
std::string difference(const Tensor& actual, const Tensor& file) {
    Tensor expected = as_stored(file, actual.dtype());
    if (!(actual.dtype() == expected.dtype()))
        return "element type " + actual.dtype().to_string() + " instead of " + expected.dtype().to_string();
    if (actual.shape() != expected.shape())
        return "shape " + shape_to_string(actual.shape()) + " instead of " + shape_to_string(expected.shape());
    double worst = 0;
    int64_t wrong = 0;
    for (int64_t i = 0; i < actual.size(); ++i) {
        double a = compared(actual, i), e = compared(expected, i);
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

struct Ports {
    std::vector<Port> inputs, outputs;  ///< inputs without initializers
};

Result<Ports> ports_of(std::string_view bytes) {
    Result<onnx::Model> model = onnx::parse_model(bytes);
    if (!model) return model.error();
    Ports ports;
    for (const onnx::ValueInfo& info : model->graph.outputs)
        ports.outputs.push_back({std::string(info.name), std::string(info.kind)});
    for (const onnx::ValueInfo& info : model->graph.inputs) {
        bool initialized = std::any_of(model->graph.initializers.begin(), model->graph.initializers.end(),
                                       [&](const onnx::TensorProto& tensor) { return tensor.name == info.name; });
        if (!initialized) ports.inputs.push_back({std::string(info.name), std::string(info.kind)});
    }
    return ports;
}

/// Imports the model repeatedly and binds further inputs as constants, until no node needs another.
Result<OnnxImport> import_for(std::string_view bytes, const std::string& file, const std::vector<Port>& ports,
                              const std::vector<TestValue>& inputs) {
    OnnxOptions options;
    options.file = file;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].is_sequence) options.shapes[ports[i].name] = inputs[i].tensors[0].shape();
        else options.sequences[ports[i].name];
        for (size_t k = 0; inputs[i].is_sequence && k < inputs[i].tensors.size(); ++k)
            options.sequences[ports[i].name].emplace_back(inputs[i].tensors[k].dtype(), inputs[i].tensors[k].shape());
    }
    std::optional<Result<OnnxImport>> imported;
    for (int attempt = 0; attempt < 3; ++attempt) {
        imported.emplace(import_onnx(bytes, options));
        if (!*imported || (*imported)->unsupported.empty()) break;
        size_t bound = options.constants.size();
        for (size_t i = 0; i < inputs.size(); ++i) {
            bool asked = (*imported)->needed_constants.contains(ports[i].name);
            // A needed value may depend on other inputs. The second attempt binds small inputs, which are rarely data.
            if (!inputs[i].is_sequence && (asked || (attempt > 0 && !(*imported)->needed_constants.empty())))
                options.constants[ports[i].name] = inputs[i].tensors[0];
        }
        if (options.constants.size() == bound && attempt > 0) break;
    }
    return std::move(*imported);
}

OnnxTestResult run_data_set(OnnxTestResult result, const fs::path& folder, std::string_view bytes, const Ports& ports,
                            const DataSet& data) {
    auto finish = [&](OnnxTestOutcome outcome, std::string reason) {
        result.outcome = outcome;
        result.reason = std::move(reason);
        return result;
    };
    Result<OnnxImport> imported = import_for(bytes, (folder / "model.onnx").string(), ports.inputs, data.inputs);
    if (!imported) return finish(OnnxTestOutcome::Unsupported, imported.error().message);
    if (!imported->unsupported.empty()) return finish(OnnxTestOutcome::Unsupported, imported->unsupported[0]);
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    const Module& module = imported->module;
    ExprId main = module.find_function("main");
    std::vector<std::pair<std::string, Tensor>> inputs = named_tensors(ports.inputs, data.inputs);
    for (size_t i = 0; i < imported->inputs.size(); ++i) {
        auto at = std::find_if(inputs.begin(), inputs.end(),
                               [&](const auto& input) { return input.first == imported->inputs[i]; });
        if (at == inputs.end()) return finish(OnnxTestOutcome::Unsupported, "an input has no value");
        ExprId parameter = module.parameters(main)[i];
        options.inputs[std::string(module.name(parameter))] =
            as_stored(at->second, module.types().dtype(module.type(parameter)));
    }
    Result<RunReport> report = run_module(std::make_shared<const Module>(std::move(imported->module)), options);
    if (!report) {
        bool refused = report.error().message.find("not supported") != std::string::npos;
        return finish(refused ? OnnxTestOutcome::Unsupported : OnnxTestOutcome::Failed, report.error().message);
    }
    std::vector<std::pair<std::string, Tensor>> outputs = named_tensors(ports.outputs, data.outputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (i >= report->outputs.size()) return finish(OnnxTestOutcome::Failed, "an output is missing");
        std::string off = difference(report->outputs[i], outputs[i].second);
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
    Result<Ports> ports = ports_of(*bytes);
    if (!ports) {
        result.outcome = OnnxTestOutcome::Unsupported;
        result.reason = ports.error().message;
        return result;
    }
    for (const fs::path& set : sets) {
        Result<std::vector<TestValue>> inputs = read_values(set, "input_", ports->inputs),
                                       outputs = read_values(set, "output_", ports->outputs);
        if (!inputs || !outputs) {
            result.outcome = OnnxTestOutcome::Unsupported;
            result.reason = !inputs ? inputs.error().message : outputs.error().message;
            return result;
        }
        result = run_data_set(std::move(result), folder, *bytes, *ports, {std::move(*inputs), std::move(*outputs)});
        if (result.outcome != OnnxTestOutcome::Passed) return result;
    }
    return result;
}

}  // namespace partita
