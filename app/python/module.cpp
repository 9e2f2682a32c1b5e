// partita._engine: the engine's session for the package partita, whose files in Python give it names, defaults and
// pictures. Reports are handed over as JSON texts.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <nlohmann/json.hpp>

#include "app/python/arrays.h"
#include "app/python/division.h"
#include "app/python/functions.h"
#include "app/python/queries.h"
#include "app/python/run.h"
#include "app/python/waiting.h"
#include "engine/explain/coverage.h"
#include "engine/explain/explain.h"
#include "engine/flow/region_names.h"
#include "engine/session/diff.h"
#include "engine/session/json.h"
#include "engine/support/in_file.h"
#include "engine/support/program_files.h"

namespace py = pybind11;

namespace partita::python {
namespace {

using OpenedPtr = std::shared_ptr<const OpenedInput>;
using DivisionPtr = std::shared_ptr<const Division>;

template <class AnyJson>
std::string text_of(const AnyJson& json) {
    return json.dump(-1, ' ', true, AnyJson::error_handler_t::replace);
}

OpenOptions open_options(const std::string& compiler, bool strict, std::map<std::string, int64_t> dimensions) {
    OpenOptions options;
    options.compiler = compiler;
    options.strict = strict;
    options.dimensions = std::move(dimensions);
    return options;
}

OpenedPtr open(const std::string& path, const std::string& compiler, bool strict,
               const std::map<std::string, int64_t>& dimensions, const std::vector<std::string>& float16) {
    OpenOptions options = open_options(compiler, strict, dimensions);
    options.float16 = float16;
    Result<OpenedInput> opened = wait_for(options.cancel, [&] { return open_input_file(path, options); });
    if (!opened) throw Refusal{in_file(opened.error(), path)};
    if (Status known = check_dimensions(*opened, options.dimensions); !known)
        throw Refusal{in_file(known.error(), path)};
    if (Status known = check_float16(*opened, float16); !known) throw Refusal{in_file(known.error(), path)};
    return std::make_shared<const OpenedInput>(std::move(*opened));
}

OpenedPtr parse(const std::string& text, const std::string& name, const std::string& compiler) {
    const OpenOptions options = open_options(compiler, false, {});
    Result<OpenedModule> opened = wait_for(options.cancel, [&] { return open_text(text, name, options); });
    if (!opened) throw Refusal{in_file(opened.error(), name)};
    return std::make_shared<const OpenedInput>(std::move(*opened));
}

/// Starts the annotator of a description, if it names one.
Result<BackendPtr> started(BackendDescription backend, bool allow_commands, const CancelToken& cancel) {
    std::vector<Diagnostic> notes;
    return start_backend(std::make_shared<BackendDescription>(std::move(backend)), allow_commands, divide_words(),
                         notes, cancel);
}

BackendPtr load(const std::string& name_or_path, bool allow_commands) {
    const CancelToken cancel;
    return value_or_raise(wait_for(cancel, [&]() -> Result<BackendPtr> {
        Result<BackendDescription> loaded = load_backend(name_or_path);
        if (!loaded) return in_file(loaded.error(), name_or_path);
        return started(std::move(*loaded), allow_commands, cancel);
    }));
}

BackendPtr parse_backend(const std::string& text, bool allow_commands) {
    const CancelToken cancel;
    return value_or_raise(wait_for(cancel, [&]() -> Result<BackendPtr> {
        Result<BackendDescription> parsed = parse_backend_description(text, "");
        if (!parsed) return parsed.error();
        return started(std::move(*parsed), allow_commands, cancel);
    }));
}

DivisionPtr partition(const OpenedPtr& opened, DivideRequest request) {
    request.words = divide_words();
    std::vector<Diagnostic> notes;
    Result<Divided> made = wait_for(request.cancel, [&] { return divide(*opened, request, notes); });
    if (!made) throw Refusal{in_file(made.error(), opened->path)};
    return std::make_shared<const Division>(
        Division{opened, std::move(*made), std::move(notes), request.allow_commands});
}

std::vector<ExprId> selected(const FlowExplainer& explainer, const std::string& selector) {
    if (selector.empty()) return explainer.names().calls();
    std::vector<ExprId> calls = explainer.names().select(selector);
    if (calls.empty()) throw Refusal{error("no call matches '" + selector + "'")};
    return calls;
}

std::string explain(const DivisionPtr& division, const std::string& selector) {
    const CancelToken cancel;
    return wait_for(cancel, [&] {
        FlowExplainer explainer(division->flow(), division->backends());
        explainer.set_cancel(cancel);
        nlohmann::json list = nlohmann::json::array();
        for (ExprId call : selected(explainer, selector)) {
            if (cancel.cancelled()) break;
            const CallExplanation explanation = explainer.explain_call(call);
            list.push_back(explainer.to_json(explanation));
            list.back()["text"] = explainer.to_text(explanation);
        }
        return text_of(list);
    });
}

std::string regions(const Division& division) {
    const ExpressionNames names(*division.flow().input);
    nlohmann::json list = nlohmann::json::array();
    for (const RegionInfo& region : division.flow().regions) {
        nlohmann::json calls = nlohmann::json::array();
        std::vector<uint32_t> numbers;
        for (ExprId id : region.expressions)
            if (names.number(id)) numbers.push_back(names.number(id));
        std::sort(numbers.begin(), numbers.end());
        for (uint32_t number : numbers) calls.push_back(names.name(names.numbered(number)));
        list.push_back({{"name", region.function},
                        {"short_name", region_name(region, names)},
                        {"backend", region.backend_name},
                        {"calls", std::move(calls)},
                        {"inputs", region.inputs},
                        {"outputs", region.outputs},
                        {"flops", region.flops},
                        {"boundary_bytes", region.boundary_bytes}});
    }
    return text_of(list);
}

/// Returns the report as JSON and as text.
std::pair<std::string, std::string> coverage(const DivisionPtr& division) {
    const CancelToken cancel;
    return wait_for(cancel, [&] {
        const CoverageReport report = report_coverage(division->flow(), division->backends(), cancel);
        return std::pair(text_of(coverage_json(report)), coverage_text(report));
    });
}

/// Returns a form of a module as it is or divided, as bytes.
py::bytes written(ExportSubject subject, const std::string& form_name) {
    const ExportForm* form = find_export_form(form_name);
    if (!form || !form->write) throw Refusal{error("there is no form '" + form_name + "' of one file")};
    return value_or_raise(wait_for(subject.cancel, [&] { return form->write(subject); }));
}

void write(ExportSubject subject, const std::string& path, const std::string& form_name, bool force) {
    subject.force = force;
    const ExportForm* form = form_name.empty() ? export_form_of_file(path) : find_export_form(form_name);
    if (!form && !form_name.empty()) {
        std::string known;
        for (const ExportForm& each : export_forms()) known += (known.empty() ? "" : ", ") + std::string(each.name);
        throw Refusal{error("there is no form '" + form_name + "'; there are " + known)};
    }
    if (!form) throw Refusal{error("the name tells no form; give form=..., or one of " + export_endings(), {})};
    const Status done = wait_for(subject.cancel, [&] { return export_to_file(subject, path, form); });
    if (!done) throw Refusal{in_file(done.error(), path)};
}

ExportSubject subject_of(const OpenedInput& opened) { return export_subject(opened.module, title_of(opened)); }

ExportSubject subject_of(const Division& division) {
    return export_subject(division.flow(), division.backends(), title_of(*division.opened));
}

/// Returns the differences as JSON and as text. Of each side, the module or what was divided is null.
std::pair<std::string, std::string> diff(const OpenedPtr& opened_a, const DivisionPtr& a, const OpenedPtr& opened_b,
                                         const DivisionPtr& b) {
    return wait_for({}, [&] {
        const auto named = [](const OpenedPtr& opened, const DivisionPtr& division) {
            return division ? DiffedModule(division->flow()) : DiffedModule(*opened->module);
        };
        const DiffedModule before = named(opened_a, a), after = named(opened_b, b);
        const ModuleDiff found = diff_modules(before.module(), after.module());
        return std::pair(text_of(diff_json(found, before, after)), diff_text(found, before, after));
    });
}

std::vector<std::string> notes_of(const std::vector<Diagnostic>& notes) {
    std::vector<std::string> texts;
    for (const Diagnostic& note : notes) texts.push_back(note.to_string());
    return texts;
}

std::vector<std::string> notes_of_division(const Division& division) {
    std::vector<std::string> texts = notes_of(division.notes);
    texts.insert(texts.end(), division.flow().warnings.begin(), division.flow().warnings.end());
    return texts;
}

std::shared_ptr<OpenedInput> result_of(const Division& division) {
    return std::make_shared<OpenedInput>(
        OpenedModule{division.flow().last(), division.opened->path, {}, {}, nullptr, nullptr});
}

void raise(const Diagnostic& fault) {
    const py::object type = py::module_::import("partita._error").attr("Error");
    const auto number = [](uint32_t place) -> py::object { return place ? py::object(py::int_(place)) : py::none(); };
    const auto text = [](const std::string& each) {
        return py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(each.data(), Py_ssize_t(each.size()), "backslashreplace"));
    };
    const py::object file = fault.file.empty() ? py::object(py::none()) : text(fault.file);
    const py::object made = type(text(fault.message), file, number(fault.position.line), number(fault.position.column));
    PyErr_SetObject(type.ptr(), made.ptr());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): what pybind11 registers takes a value
void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const Refusal& refusal) {
        raise(refusal.diagnostic);
    } catch (const DataLost& lost) {
        raise(error(lost.what()));
    }
}

void define_module(py::module_& m) {
    py::class_<OpenedInput, std::shared_ptr<OpenedInput>>(m, "Module")
        .def_property_readonly("path", [](const OpenedInput& self) { return self.path; })
        .def_property_readonly("notes", [](const OpenedInput& self) { return notes_of(self.notes); })
        .def("graph", [](const OpenedInput& self) { return graph_text(self); })
        .def("info", [](const OpenedInput& self) { return text_of(summary_json(summarize(*self.module))); })
        .def("written",
             [](const OpenedInput& self, const std::string& form) { return written(subject_of(self), form); })
        .def("write", [](const OpenedInput& self, const std::string& path, const std::string& form, bool force) {
            write(subject_of(self), path, form, force);
        });
}

void define_division(py::module_& m) {
    py::class_<Division, std::shared_ptr<Division>>(m, "Division")
        .def_property_readonly("backends",
                               [](const Division& self) {
                                   std::vector<std::string> names;
                                   for (const BackendDescription& each : self.backends()) names.push_back(each.name);
                                   return names;
                               })
        .def_property_readonly("notes", &notes_of_division)
        .def("graph", [](const Division& self) { return graph_text(self); })
        .def("calls", &calls_text)
        .def("check_gates", &check_gates_text)
        .def("what_if", &what_if_text_of)
        .def("place", &place_text)
        .def("regions", &regions)
        .def("explain", &explain)
        .def("coverage", &coverage)
        .def("result", &result_of)
        .def("written", [](const Division& self, const std::string& form) { return written(subject_of(self), form); })
        .def("write", [](const Division& self, const std::string& path, const std::string& form,
                         bool force) { write(subject_of(self), path, form, force); })
        .def("run", &run_division)
        .def("bisect", &bisect_division);
}

void define_options(py::module_& m) {
    py::class_<GateTexts>(m, "GateTexts")
        .def(py::init<>())
        .def_readwrite("at_least", &GateTexts::at_least)
        .def_readwrite("most_regions", &GateTexts::most_regions)
        .def_readwrite("forbid", &GateTexts::forbid)
        .def_readwrite("require", &GateTexts::require)
        .def_readwrite("baseline", &GateTexts::baseline)
        .def_readwrite("write_baseline", &GateTexts::write_baseline);
    py::class_<PlaceSettings>(m, "PlaceSettings")
        .def(py::init<>())
        .def_readwrite("seconds", &PlaceSettings::seconds)
        .def_readwrite("threads", &PlaceSettings::threads)
        .def_readwrite("costs", &PlaceSettings::costs);
    py::class_<RunSettings>(m, "RunSettings")
        .def(py::init<>())
        .def_readwrite("seed", &RunSettings::seed)
        .def_readwrite("threads", &RunSettings::threads)
        .def_readwrite("warmup", &RunSettings::warmup)
        .def_readwrite("repeat", &RunSettings::repeat)
        .def_readwrite("tolerance", &RunSettings::tolerance)
        .def_readwrite("compare", &RunSettings::compare);
    py::class_<DivideRequest>(m, "DivideOptions")
        .def(py::init<>())
        .def_property(
            "backends", [](const DivideRequest& self) { return self.backends.size(); },
            [](DivideRequest& self, const py::list& backends) {
                for (const auto& each : backends)
                    self.backends.push_back(py::cast<std::shared_ptr<BackendDescription>>(each));
            })
        .def_readwrite("overrides", &DivideRequest::overrides)
        .def_readwrite("reports", &DivideRequest::from)
        .def("set_partitioner",
             [](DivideRequest& self, const std::string& name, const std::map<std::string, std::string>& options) {
                 self.partitioner = PartitionerChoice{name, {options.begin(), options.end()}};
             })
        .def_readwrite("lower", &DivideRequest::lower)
        .def_readwrite("simplify", &DivideRequest::simplify)
        .def_readwrite("fold", &DivideRequest::fold)
        .def_readwrite("composite", &DivideRequest::composite)
        .def_readwrite("merge", &DivideRequest::merge)
        .def_readwrite("non_call_ops", &DivideRequest::non_call_ops)
        .def_readwrite("allow_commands", &DivideRequest::allow_commands);
}

void define_backend(py::module_& m) {
    py::class_<BackendDescription, std::shared_ptr<BackendDescription>>(m, "Backend")
        .def_readonly("name", &BackendDescription::name)
        .def_readonly("file", &BackendDescription::file)
        .def_readonly("codegen", &BackendDescription::codegen)
        .def_property_readonly("ops",
                               [](const BackendDescription& self) {
                                   std::vector<std::string> names;
                                   for (const auto& [name, _] : self.ops) names.push_back(name);
                                   return names;
                               })
        .def_property_readonly("patterns", [](const BackendDescription& self) {
            std::vector<std::string> names;
            for (const CompositePattern& each : self.patterns) names.push_back(each.name);
            return names;
        });
}

}  // namespace
}  // namespace partita::python

PYBIND11_MODULE(_engine, m) {
    using namespace partita::python;
    partita::use_fonts_of_program();
    py::register_exception_translator(&translate);
    define_module(m);
    define_division(m);
    define_backend(m);
    define_options(m);
    m.def("open", &open);
    m.def("parse", &parse);
    m.def("load_backend", &load);
    m.def("parse_backend", &parse_backend);
    m.def("function_backend", &function_backend);
    m.def("partition", &partition);
    m.def("diff", &diff);
    m.def("builtin_backends", &partita::builtin_backend_names);
    // For the test that nothing is copied.
    m.def("address_of_tensor", [](const py::array& array) { return uintptr_t(tensor_of(array, false).bytes()); });
    m.attr("version") = PARTITA_VERSION;
}
