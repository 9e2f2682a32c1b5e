#include "app/python/run.h"

#include <utility>

#include "app/python/arrays.h"
#include "app/python/waiting.h"
#include "engine/edits/edits.h"
#include "engine/session/bisect.h"
#include "engine/session/inputs.h"
#include "engine/support/one_line.h"

namespace py = pybind11;

namespace partita::python {
namespace {

/// Returns whether the parameter's elements are of type bfloat16.
bool is_bfloat16(const Module& module, ExprId parameter) {
    const TypeId type = module.type(parameter);
    return module.types().is_tensor(type) && module.types().dtype(type) == kBFloat16;
}

std::map<std::string, Tensor> tensors_of(const py::dict& inputs, const Module& module) {
    const ParameterNames names(module);
    std::map<std::string, Tensor> tensors;
    for (const auto& [key, value] : inputs) {
        const std::string name = py::cast<std::string>(key);
        const auto checked = [&name](auto result) {
            if (!result) throw Refusal{error("the input " + in_quotes(name) + ": " + result.error().message)};
            return *result;
        };
        const ExprId parameter = checked(names.find(name));
        Tensor tensor = tensor_of(py::reinterpret_borrow<py::array>(value), is_bfloat16(module, parameter));
        checked(names.accept(name, tensor.shape(), tensor.dtype()));
        if (!tensors.emplace(module.name(parameter), std::move(tensor)).second)
            checked(Status(error("the parameter is given twice")));
    }
    return tensors;
}

py::dict timing_of(const Timing& time) {
    return py::dict(py::arg("median") = time.median, py::arg("minimum") = time.minimum, py::arg("spread") = time.spread,
                    py::arg("samples") = time.samples);
}

py::dict region_of(const RegionTiming& region) {
    py::list ops;
    for (const OpTiming& op : region.ops)
        ops.append(py::dict(py::arg("name") = op.name, py::arg("number") = op.number,
                            py::arg("time") = timing_of(op.time), py::arg("flops") = op.flops,
                            py::arg("bytes") = op.bytes));
    return py::dict(py::arg("name") = region.name, py::arg("short_name") = region.short_name,
                    py::arg("backend") = region.backend, py::arg("executed_by") = region.executed_by,
                    py::arg("notice") = region.notice, py::arg("time") = timing_of(region.time),
                    py::arg("compile_ms") = region.compile_ms, py::arg("calls") = region.calls,
                    py::arg("flops") = region.flops, py::arg("bytes") = region.bytes, py::arg("ops") = ops);
}

py::dict report_of(const RunReport& report, const Module& original) {
    py::list outputs, regions, differences;
    for (const Tensor& output : report.outputs) outputs.append(array_of(output));
    for (const RegionTiming& region : report.regions) regions.append(region_of(region));
    for (const OutputDifference& each : report.differences) {
        py::dict difference(py::arg("output") = each.output, py::arg("max_abs_error") = each.max_abs_error,
                            py::arg("max_rel_error") = each.max_rel_error, py::arg("tolerance") = each.tolerance,
                            py::arg("within_tolerance") = each.within_tolerance);
        if (each.from_double) {
            difference["error_from_float64"] = each.from_double->own;
            difference["default_error_from_float64"] = each.from_double->expected;
        }
        differences.append(difference);
    }
    return py::dict(
        py::arg("outputs") = outputs, py::arg("output_names") = output_names(original, original.find_function("main")),
        py::arg("time") = timing_of(report.time), py::arg("regions") = regions, py::arg("differences") = differences,
        py::arg("peak_bytes") = report.peak_bytes, py::arg("compile_ms") = report.compile_ms,
        py::arg("prepare_ms") = report.prepare_ms, py::arg("threads") = report.threads,
        py::arg("warmup") = report.warmup, py::arg("repeat") = report.repeat);
}

}  // namespace

RunOptions run_options(const RunSettings& settings, std::span<const BackendDescription> backends) {
    RunOptions options;
    options.seed = settings.seed;
    options.threads = settings.threads;
    options.warmup = settings.warmup;
    options.repeat = settings.repeat;
    for (const BackendDescription& backend : backends) {
        options.codegen[backend.name] = backend.codegen;
        if (backend.halves_refused) options.halved.insert(backend.name);
    }
    return options;
}

void require_permission(const Division& division) {
    const std::vector<Diagnostic> foreign = foreign_code_of(division.backends(), divide_words());
    if (!division.allow_commands && !foreign.empty()) throw Refusal{foreign.front()};
    if (Status known = check_sizes_known(division.opened->dimensions, "open(..., dimensions={NAME: SIZE})"); !known)
        throw Refusal{known.error()};
}

namespace {

/// Returns the report of a run; raises its error.
py::dict run_with(const RunOptions& options, const Division& division, const RunSettings& settings) {
    const ModulePtr module = division.flow().last();
    const ModulePtr& original = division.opened->module;
    Result<RunReport> report = wait_for(options.cancel, [&]() -> Result<RunReport> {
        Result<RunReport> made = error("");
        if (settings.compare) {
            Result<RunComparison> both = run_and_compare(module, original, options, settings.tolerance);
            made = both ? Result<RunReport>(std::move(both->report)) : Result<RunReport>(both.error());
        } else {
            made = run_partitioned(module, options);
        }
        if (made) number_operators(*made, *division.flow().input, &division.flow());
        return made;
    });
    return report_of(value_or_raise(std::move(report)), *original);
}

/// Of a division that may run.
RunOptions options_for(const Division& division, const py::dict& inputs, const RunSettings& settings) {
    require_permission(division);
    RunOptions options = run_options(settings, division.backends());
    options.inputs = tensors_of(inputs, *division.opened->module);
    return options;
}

const char* fault_name(Culprit::Fault fault) {
    return fault == Culprit::Fault::Refused ? "refused" : fault == Culprit::Fault::WrongValues ? "wrong values" : "";
}

}  // namespace

py::dict run_division(const Division& division, const py::dict& inputs, const RunSettings& settings) {
    return run_with(options_for(division, inputs, settings), division, settings);
}

py::dict bisect_division(const Division& division, const py::dict& inputs, const RunSettings& settings) {
    RunOptions options = options_for(division, inputs, settings);
    const FlowResult& flow = division.flow();
    const Culprit culprit = value_or_raise(wait_for(options.cancel, [&] {
        options.inputs = make_inputs(*division.opened->module, options.seed, options.inputs);
        return find_culprit(flow, options, settings.tolerance);
    }));
    const ExpressionNames names(*flow.input);
    py::list calls, steps;
    for (ExprId call : culprit.calls) calls.append(names.name(call));
    for (const Culprit::Step& step : culprit.steps) steps.append(step.what.text());
    py::dict region_inputs;
    for (const auto& [name, tensor] : culprit.inputs) region_inputs[py::str(name)] = array_of(tensor);
    const auto opened =
        std::make_shared<OpenedInput>(OpenedModule{culprit.smallest, culprit.title, {}, {}, nullptr, nullptr});
    return py::dict(py::arg("calls") = calls, py::arg("region") = culprit.title, py::arg("backend") = culprit.backend,
                    py::arg("fault") = fault_name(culprit.fault), py::arg("notice") = culprit.notice,
                    py::arg("runs") = culprit.runs, py::arg("steps") = steps,
                    py::arg("smallest") = culprit.smallest ? py::cast(opened) : py::none(),
                    py::arg("inputs") = region_inputs);
}

}  // namespace partita::python
